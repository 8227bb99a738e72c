// The routines of the client: maps code addresses to routines, by debug info and symbols.
//
// A routine is a function of an object's source. Two `static helper()` are two routines, and so are
// two instances of one template; `foo.constprop.0` and `foo.cold` are foo (trace/clone_names.hpp).
// Its file and line are those of its definition. DWARF, or else the names of symbols, decides which
// code belongs to which function (trace/debug_info/object_functions.hpp), because the core knows
// neither compilation units nor definitions. Code without symbols gets one routine per called
// address, `object+0xoffset`. Ids are dense, start at 1, and outlive dlclose. Everything cached by
// address is dropped when debug info changes.
#pragma once

#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/clone_names.hpp"
#include "trace/debug_info/object_functions.hpp"
#include "trace/string_table.hpp"

#include <initializer_list>

struct Routine {
  u32 object;   // index into objects()
  u64 function; // tells it from the object's other routines
  u32 file;     // index into files(); 0: unknown
  u32 line;     // 0: unknown
  GuestAddr
      address; // of the code that was called first; relative to the object's file, if there is one
  bool has_symbol;
  const char* name;
};

// Name of the object of code that is in no file.
constexpr const char* kInNoFile = "???";

// Whether clones of a function are routines of their own. Its cold parts never are.
enum class Clones { together, apart };

class RoutineTable {
public:
  explicit RoutineTable(Clones clones) : clones_(clones) {}

  // The routine that a call of `address` enters, or `stub`.
  RoutineId called(GuestAddr address);
  // The fast path of called(). Returns none if the address is not cached or is a stub.
  RoutineId known_called(GuestAddr address) const {
    const Target& known = targets_[place(address)];
    const bool is_known = known.address == address && index(known.called) < Target::kUnknown;
    return is_known ? known.called : RoutineId::none;
  }

  // The routine that contains the code at `address`.
  RoutineId containing(GuestAddr address) {
    look_for_changes();
    return resolve(address);
  }

  // The routine whose first instruction is at `address`, or `stub`; none if no routine begins
  // there.
  RoutineId at_entry(GuestAddr address);

  // Whether a routine without a symbol is known to begin at `address`: it has been called, and the
  // code there is still of that object. Costs one hash probe where it has not been called.
  bool is_nameless_entry(GuestAddr address);

  // Whether a jump from `from` to `to` stays within a routine. Cold parts belong to their routine.
  bool same_routine(GuestAddr from, GuestAddr to);
  // Whether a call stays within its routine: it calls an address inside, or a piece that was split
  // off.
  bool is_call_within(GuestAddr from, GuestAddr to);

  // Whether a pattern (* is any text, ? any character) matches the routine's name, or the name of
  // the function that it is a clone of, or is the name of a clone that counts as the routine.
  bool is_named(RoutineId routine, const Vector<const char*>& patterns) const;

  // Whether both addresses are in one symbol, or both in code without symbols of one object, with
  // the second not known to have been called.
  bool same_symbol(GuestAddr from, GuestAddr to);

  // Whether `address` is code without a symbol in an object other than that of `routine`. A jump
  // between the two cannot be within a routine.
  bool is_nameless_elsewhere(GuestAddr address, RoutineId routine);

  // Whether the cache says that `address` is neither that nor an entry, as for nearly all jumps.
  bool is_known_within(GuestAddr address, RoutineId routine) const {
    const Target& known = targets_[place(address)];
    return known.address == address && known.at_entry == RoutineId::none &&
           (known.nameless_in == 0 || known.nameless_in == (*this)[routine].object);
  }

  // Drops everything cached by address if debug info has changed. Call before code runs.
  void look_for_changes();

  // Whether no symbol covers the address.
  static bool is_nameless(GuestAddr address);

  // How a block at `address` takes part in procedure linkage: not at all; as a stub, which jumps to
  // a routine or on to the call of the binder; or as the part of a stub that is executed only while
  // its symbol is unbound.
  enum class Linkage { none, stub, binding };
  static Linkage linkage(GuestAddr address);

  // The dynamic linker's lines and loops are not recorded: they do not interest anyone who profiles
  // a program.
  static bool is_in_dynamic_linker(GuestAddr address);
  // Whether an object is mapped whose file name, without its folder, matches one of the patterns.
  static bool is_mapped(std::initializer_list<const char*> names);

  // The source line of the instruction at `address`; {0, 0} if unknown.
  struct SourceLine {
    u32 file; // index into files()
    u32 line;
    bool operator==(const SourceLine&) const = default;
  };
  SourceLine line_of(GuestAddr address);
  // The functions inlined at the address, outermost first; none if nothing is known.
  std::optional<Vector<InlinedFunction>> inlined_at(GuestAddr address);

  // The integer arguments in registers of the routine whose first instruction is at the address.
  Vector<NamedArgument> arguments_at(GuestAddr address);

  // The address relative to the object's file, which is the same in every run.
  static GuestAddr address_in_file(GuestAddr address);
  // Start of the symbol that covers `address`; without a symbol, `address` itself.
  static GuestAddr symbol_start(GuestAddr address);

  const Routine& operator[](RoutineId id) const { return routines_[index(id) - 1]; }
  u32 size() const { return static_cast<u32>(routines_.size()); }
  const StringTable& objects() const { return objects_; }
  const StringTable& files() const { return files_; }
  u32 file(const char* path) { return files_.intern(path); }
  // The length of the beginning of a function's name that it counts under.
  std::size_t counted_length(const CloneName& clone) const;

private:
  // What is cached about the target of calls and jumps; each field is kUnknown until needed.
  struct Target {
    static constexpr u32 kUnknown = ~u32{0} - 1; // between the numbers of routines and `stub`
    GuestAddr address = 0;
    RoutineId called{kUnknown};
    RoutineId at_entry{kUnknown};
    u32 nameless_in = kUnknown;
  };
  // Direct-mapped: nearly every jump through a pointer or a linkage stub needs one probe.
  static constexpr std::size_t kTargets = 1024;
  static std::size_t place(GuestAddr address) { return (address ^ address >> 12) % kTargets; }

  Target& target(GuestAddr address);
  RoutineId find_called(GuestAddr address);
  void call_of_nameless(GuestAddr address);
  RoutineId called_before(GuestAddr address);
  RoutineId find_at_entry(GuestAddr address);
  u32 find_nameless_in(GuestAddr address);
  u32 source_file(const char* folder, const char* name);
  void forget(u32 epoch); // drops what was cached under that debug info
  RoutineId resolve(GuestAddr address);
  RoutineId nameless(GuestAddr address);
  RoutineId intern(const Routine& routine);
  u32 object_of(GuestAddr address);
  ObjectFunctions& functions_of(u32 object);
  // The function that a symbol's code belongs to.
  struct Code {
    u32 object = 0;
    u64 function = 0; // Routine::function
    Vector<char> name{"trace.name"};
    std::optional<Definition> definition;
    bool may_be_piece = false;
  };
  Code code_at(GuestAddr symbol);

  const Clones clones_;
  Vector<Routine> routines_{"trace.routines"};
  Vector<ObjectFunctions*> functions_{"trace.routines"}; // by object; null: not read yet
  StringTable objects_{"trace.objects"};
  StringTable files_{"trace.files"};
  AddressMap<RoutineId> by_identity_{"trace.routines.identity"};
  AddressMap<RoutineId> by_symbol_{"trace.routines.symbol"};
  AddressMap<u8> pieces_{"trace.routines.symbol"}; // symbols that may be pieces of another function
  AddressMap<RoutineId> called_{"trace.routines.called"};    // by address
  AddressMap<u32> nameless_called_{"trace.routines.called"}; // object by address; never dropped
  AddressMap<RoutineId> entry_{"trace.routines.entry"};      // by address; may map to none
  AddressMap<u32> nameless_in_{"trace.routines.nameless"}; // object by address; 0: it has a symbol
  struct { // the core's latest strings, while they are valid
    const char* folder;
    const char* name;
    u32 file;
  } latest_file_{};
  u32 epoch_ = 0;
  Target targets_[kTargets];
};
