#include "aprof/helpers.hpp"

#include "aprof/engine_fast.hpp"

alignas(Engine) char engine_storage[sizeof(Engine)];

namespace {

template <unsigned kCellShift, std::size_t kBytes> void read(GuestAddr address) {
  engine().read_sized<kCellShift, kBytes>(address);
}
template <unsigned kCellShift> void read_any(GuestAddr address, std::size_t bytes) {
  engine().read<kCellShift>(address, bytes);
}
template <unsigned kCellShift, std::size_t kBytes> void write(GuestAddr address) {
  engine().write_sized<kCellShift, kBytes>(address);
}
template <unsigned kCellShift> void write_any(GuestAddr address, std::size_t bytes) {
  engine().write<kCellShift>(address, bytes);
}

template <typename F> AccessHelper helper(const char* name, F* function) {
  return {name, reinterpret_cast<void*>(function)};
}

template <unsigned kShift> AccessHelpers readers() {
  return {{helper("read_1", read<kShift, 1>), helper("read_2", read<kShift, 2>),
           helper("read_4", read<kShift, 4>), helper("read_8", read<kShift, 8>),
           helper("read_16", read<kShift, 16>), helper("read_32", read<kShift, 32>)},
          helper("read_any", read_any<kShift>)};
}
template <unsigned kShift> AccessHelpers writers() {
  return {{helper("write_1", write<kShift, 1>), helper("write_2", write<kShift, 2>),
           helper("write_4", write<kShift, 4>), helper("write_8", write<kShift, 8>),
           helper("write_16", write<kShift, 16>), helper("write_32", write<kShift, 32>)},
          helper("write_any", write_any<kShift>)};
}

} // namespace

AccessHelpers read_helpers(unsigned cell_shift) {
  switch (cell_shift) {
  case 0: return readers<0>();
  case 1: return readers<1>();
  case 2: return readers<2>();
  case 3: return readers<3>();
  default: return readers<4>();
  }
}

AccessHelpers write_helpers(unsigned cell_shift) {
  switch (cell_shift) {
  case 0: return writers<0>();
  case 1: return writers<1>();
  case 2: return writers<2>();
  case 3: return writers<3>();
  default: return writers<4>();
  }
}
