// Constants of DWARF, versions 2 to 5, as far as they are used here, with the standard's names.
#pragma once

#include "base/types.hpp"

namespace dwarf {

// Tags, attributes, forms and others.
enum : u16 {
  DW_TAG_class_type = 0x02,
  DW_TAG_enumeration_type = 0x04,
  DW_TAG_formal_parameter = 0x05,
  DW_TAG_pointer_type = 0x0f,
  DW_TAG_reference_type = 0x10,
  DW_TAG_structure_type = 0x13,
  DW_TAG_typedef = 0x16,
  DW_TAG_union_type = 0x17,
  DW_TAG_unspecified_parameters = 0x18,
  DW_TAG_inlined_subroutine = 0x1d,
  DW_TAG_base_type = 0x24,
  DW_TAG_const_type = 0x26,
  DW_TAG_subprogram = 0x2e,
  DW_TAG_template_type_parameter = 0x2f,
  DW_TAG_template_value_parameter = 0x30,
  DW_TAG_volatile_type = 0x35,
  DW_TAG_restrict_type = 0x37,
  DW_TAG_rvalue_reference_type = 0x42,
  DW_TAG_atomic_type = 0x47,
};

enum : u16 {
  DW_AT_location = 0x02,
  DW_AT_name = 0x03,
  DW_AT_byte_size = 0x0b,
  DW_AT_stmt_list = 0x10,
  DW_AT_low_pc = 0x11,
  DW_AT_high_pc = 0x12,
  DW_AT_language = 0x13,
  DW_AT_comp_dir = 0x1b,
  DW_AT_abstract_origin = 0x31,
  DW_AT_artificial = 0x34,
  DW_AT_calling_convention = 0x36,
  DW_AT_decl_file = 0x3a,
  DW_AT_decl_line = 0x3b,
  DW_AT_encoding = 0x3e,
  DW_AT_specification = 0x47,
  DW_AT_type = 0x49,
  DW_AT_ranges = 0x55,
  DW_AT_call_file = 0x58,
  DW_AT_call_line = 0x59,
  DW_AT_object_pointer = 0x64,
  DW_AT_str_offsets_base = 0x72,
  DW_AT_linkage_name = 0x6e,
  DW_AT_addr_base = 0x73,
  DW_AT_rnglists_base = 0x74,
  DW_AT_loclists_base = 0x8c,
  DW_AT_MIPS_linkage_name = 0x2007, // of all compilers before DWARF 4
};

enum : u16 {
  DW_FORM_addr = 0x01,
  DW_FORM_block2 = 0x03,
  DW_FORM_block4 = 0x04,
  DW_FORM_data2 = 0x05,
  DW_FORM_data4 = 0x06,
  DW_FORM_data8 = 0x07,
  DW_FORM_string = 0x08,
  DW_FORM_block = 0x09,
  DW_FORM_block1 = 0x0a,
  DW_FORM_data1 = 0x0b,
  DW_FORM_flag = 0x0c,
  DW_FORM_sdata = 0x0d,
  DW_FORM_strp = 0x0e,
  DW_FORM_udata = 0x0f,
  DW_FORM_ref_addr = 0x10,
  DW_FORM_ref1 = 0x11,
  DW_FORM_ref2 = 0x12,
  DW_FORM_ref4 = 0x13,
  DW_FORM_ref8 = 0x14,
  DW_FORM_ref_udata = 0x15,
  DW_FORM_indirect = 0x16,
  DW_FORM_sec_offset = 0x17,
  DW_FORM_exprloc = 0x18,
  DW_FORM_flag_present = 0x19,
  DW_FORM_strx = 0x1a,
  DW_FORM_addrx = 0x1b,
  DW_FORM_ref_sup4 = 0x1c,
  DW_FORM_strp_sup = 0x1d,
  DW_FORM_data16 = 0x1e,
  DW_FORM_line_strp = 0x1f,
  DW_FORM_ref_sig8 = 0x20,
  DW_FORM_implicit_const = 0x21,
  DW_FORM_loclistx = 0x22,
  DW_FORM_rnglistx = 0x23,
  DW_FORM_ref_sup8 = 0x24,
  DW_FORM_strx1 = 0x25,
  DW_FORM_strx2 = 0x26,
  DW_FORM_strx3 = 0x27,
  DW_FORM_strx4 = 0x28,
  DW_FORM_addrx1 = 0x29,
  DW_FORM_addrx2 = 0x2a,
  DW_FORM_addrx3 = 0x2b,
  DW_FORM_addrx4 = 0x2c,
  DW_FORM_GNU_ref_alt = 0x1f20,
  DW_FORM_GNU_strp_alt = 0x1f21,
};

enum : u8 {
  DW_RLE_end_of_list = 0,
  DW_RLE_base_addressx = 1,
  DW_RLE_startx_endx = 2,
  DW_RLE_startx_length = 3,
  DW_RLE_offset_pair = 4,
  DW_RLE_base_address = 5,
  DW_RLE_start_end = 6,
  DW_RLE_start_length = 7,
};

enum : u8 {
  DW_LLE_end_of_list = 0,
  DW_LLE_base_addressx = 1,
  DW_LLE_startx_endx = 2,
  DW_LLE_startx_length = 3,
  DW_LLE_offset_pair = 4,
  DW_LLE_default_location = 5,
  DW_LLE_base_address = 6,
  DW_LLE_start_end = 7,
  DW_LLE_start_length = 8,
  DW_LLE_GNU_view_pair = 9,
};

enum : u8 {
  DW_OP_reg0 = 0x50,
  DW_OP_reg31 = 0x6f,
  DW_OP_fbreg = 0x91,
};

enum : u8 {
  DW_ATE_address = 1,
  DW_ATE_boolean = 2,
  DW_ATE_float = 4,
  DW_ATE_signed = 5,
  DW_ATE_signed_char = 6,
  DW_ATE_unsigned = 7,
  DW_ATE_unsigned_char = 8,
  DW_ATE_UTF = 0x10,
};

enum : u16 {
  DW_LANG_C89 = 0x01,
  DW_LANG_C = 0x02,
  DW_LANG_C_plus_plus = 0x04,
  DW_LANG_C99 = 0x0c,
  DW_LANG_C_plus_plus_03 = 0x19,
  DW_LANG_C_plus_plus_11 = 0x1a,
  DW_LANG_C11 = 0x1d,
  DW_LANG_C_plus_plus_14 = 0x21,
  DW_LANG_C_plus_plus_17 = 0x2a,
  DW_LANG_C_plus_plus_20 = 0x2b,
  DW_LANG_C17 = 0x2c,
  DW_LANG_C_plus_plus_23 = 0x3a,
  DW_LANG_C23 = 0x3e,
};

enum : u8 {
  DW_CC_pass_by_reference = 4,
};

enum : u8 {
  DW_UT_compile = 1,
  DW_UT_type = 2,
  DW_UT_partial = 3,
  DW_UT_skeleton = 4,
};

enum : u16 {
  DW_LNCT_path = 1,
  DW_LNCT_directory_index = 2,
};

// The properties of a unit that the sizes of its forms depend on.
struct Format {
  u16 version = 0;
  u8 address_bytes = 8;
  u8 offset_bytes = 4; // 8 in 64-bit DWARF
};

} // namespace dwarf
