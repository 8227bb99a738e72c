// The routines of the client: what code address belongs to which, by debug info and symbols.
//
// A routine is a function of an object's source: two `static helper()` are two routines, and so are
// instances of one template; `foo.constprop.0` and `foo.cold` are foo (trace/clone_names.hpp). Its
// file and line are where it is defined. Which code is of which function, DWARF tells, or else the
// names of symbols (trace/debug_info/object_functions.hpp): the core knows neither units nor
// definitions. Code without symbols gets a routine per called address, `object+0xoffset`. Ids are
// dense, from 1, and outlive dlclose; what is remembered by address is forgotten whenever debug
// info changes.
#pragma once

#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/object_functions.hpp"
#include "trace/string_table.hpp"

#include <initializer_list>

struct Routine {
  u32 object;        // index into objects()
  u64 function;      // what tells it from the object's others
  u32 file;          // index into files(), 0: unknown
  u32 line;          // 0: unknown
  GuestAddr address; // of the code that was called first; as in the object's file, if in one
  bool has_symbol;
  const char* name;
};

// The object of code that is in no file.
constexpr const char* kInNoFile = "???";

// Whether copies and pieces of a function are routines of their own. Its cold parts never are.
enum class Clones { together, apart };

class RoutineTable {
public:
  explicit RoutineTable(Clones clones) : clones_(clones) {}

  // The routine that a call to `address` enters, or `stub`.
  RoutineId called(GuestAddr address);
  // The same of nearly all calls. None: it is not known yet, or a stub.
  RoutineId known_called(GuestAddr address) const {
    const Target& known = targets_[place(address)];
    const bool is_known = known.address == address && index(known.called) < Target::kUnknown;
    return is_known ? known.called : RoutineId::none;
  }

  // The routine that the code at `address` is part of, wherever in it that is.
  RoutineId containing(GuestAddr address) {
    look_for_changes();
    return resolve(address);
  }

  // The routine whose first instruction is at `address`, or `stub`; none if it is no routine's.
  RoutineId at_entry(GuestAddr address);

  // Whether a jump from `from` to `to` stays within a routine (cold parts belong to it).
  bool same_routine(GuestAddr from, GuestAddr to);
  // Whether a call does: of a place within the routine, or of a piece that was split off.
  bool is_call_within(GuestAddr from, GuestAddr to);

  // Whether a pattern, in which * is any text and ? any character, is the routine's name; or that
  // of the function that it is a copy or piece of.
  bool is_named(RoutineId routine, const Vector<const char*>& patterns) const;

  // Whether both are code of one symbol, or lie in one object's code without a symbol, where the
  // second is not known to be called.
  bool same_symbol(GuestAddr from, GuestAddr to);

  // Whether `address` is code without a symbol in a file that `routine` is not in: a jump from the
  // one to the other cannot be within a routine.
  bool is_nameless_elsewhere(GuestAddr address, RoutineId routine);

  // Whether `address` is known to be neither that nor an entry, as of nearly all jumps.
  bool is_known_within(GuestAddr address, RoutineId routine) const {
    const Target& known = targets_[place(address)];
    return known.address == address && known.at_entry == RoutineId::none &&
           (known.nameless_in == 0 || known.nameless_in == (*this)[routine].object);
  }

  // Before code runs: forgets what was found of addresses if other debug info is there.
  void look_for_changes();

  // Whether no symbol covers it.
  static bool is_nameless(GuestAddr address);

  // What a block at `address` is to procedure linkage: nothing; a stub, which jumps to a routine
  // or on to the binder's call; or the part of one that only an unbound symbol reaches.
  enum class Linkage { none, stub, binding };
  static Linkage linkage(GuestAddr address);

  // Neither lines nor loops of the dynamic linker are told: they are nobody's who profiles.
  static bool is_in_dynamic_linker(GuestAddr address);
  // Whether an object is mapped whose name, without its folder, matches one of the patterns.
  static bool is_mapped(std::initializer_list<const char*> names);

  // Where in the source the instruction at `address` comes from; {0, 0} if that is unknown.
  struct SourceLine {
    u32 file; // index into files()
    u32 line;
    bool operator==(const SourceLine&) const = default;
  };
  SourceLine line_of(GuestAddr address);
  // The functions that were inlined there, outermost first. None: nothing is known.
  std::optional<Vector<InlinedFunction>> inlined_at(GuestAddr address);

  // The integers that the routine whose first instruction is there takes in registers.
  Vector<NamedArgument> arguments_at(GuestAddr address);

  // As the file of its object has it: the same in every run.
  static GuestAddr address_in_file(GuestAddr address);
  // Of the symbol that covers `address`; without one, that itself.
  static GuestAddr symbol_start(GuestAddr address);

  const Routine& operator[](RoutineId id) const { return routines_[index(id) - 1]; }
  u32 size() const { return static_cast<u32>(routines_.size()); }
  const StringTable& objects() const { return objects_; }
  const StringTable& files() const { return files_; }
  u32 file(const char* path) { return files_.intern(path); }

private:
  // What was found of an address, as calls and jumps ask for it; kUnknown until they do.
  struct Target {
    static constexpr u32 kUnknown = ~u32{0} - 1; // between routines and a stub
    GuestAddr address = 0;
    RoutineId called{kUnknown};
    RoutineId at_entry{kUnknown};
    u32 nameless_in = kUnknown;
  };
  // Direct-mapped: the one probe of nearly every jump through a pointer or a linkage stub.
  static constexpr std::size_t kTargets = 1024;
  static std::size_t place(GuestAddr address) { return (address ^ address >> 12) % kTargets; }

  Target& target(GuestAddr address);
  RoutineId find_called(GuestAddr address);
  void call_of_nameless(GuestAddr address);
  RoutineId called_before(GuestAddr address);
  RoutineId find_at_entry(GuestAddr address);
  u32 find_nameless_in(GuestAddr address);
  u32 source_file(const char* folder, const char* name);
  void forget(u32 epoch); // what was found until the debug info of that
  RoutineId resolve(GuestAddr address);
  RoutineId nameless(GuestAddr address);
  RoutineId intern(const Routine& routine);
  u32 object_of(GuestAddr address);
  ObjectFunctions& functions_of(u32 object);
  // What a symbol's code is of.
  struct Code {
    u32 object = 0;
    u64 function = 0; // a Routine's
    Vector<char> name{"trace.name"};
    std::optional<Definition> definition;
    bool may_be_piece = false;
  };
  Code code_at(GuestAddr symbol);

  const Clones clones_;
  Vector<Routine> routines_{"trace.routines"};
  Vector<ObjectFunctions*> functions_{"trace.routines"}; // by object; null: not asked for yet
  StringTable objects_{"trace.objects"};
  StringTable files_{"trace.files"};
  AddressMap<RoutineId> by_identity_{"trace.routines.identity"};
  AddressMap<RoutineId> by_symbol_{"trace.routines.symbol"};
  AddressMap<u8> pieces_{"trace.routines.symbol"}; // symbols that may do a part of another's work
  AddressMap<RoutineId> called_{"trace.routines.called"};    // by address
  AddressMap<u32> nameless_called_{"trace.routines.called"}; // object by address, of all times
  AddressMap<RoutineId> entry_{"trace.routines.entry"};      // by address; may map to none
  AddressMap<u32> nameless_in_{"trace.routines.nameless"}; // object by address; 0: it has a symbol
  struct { // what the core has told, as long as it has it
    const char* folder;
    const char* name;
    u32 file;
  } latest_file_{};
  u32 epoch_ = 0;
  Target targets_[kTargets];
};
