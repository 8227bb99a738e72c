#include "aprof/cells/packed_cells.hpp"

#include <algorithm>
#include <bit>

namespace {

template <unsigned kBits> void pack_indices(const u8* indices, std::size_t count, u8* packed) {
  constexpr std::size_t kPerByte = 8 / kBits;
  for (std::size_t i = 0; i < count; i += kPerByte) {
    unsigned byte = 0;
    for (std::size_t j = 0; j < kPerByte; j++)
      byte |= static_cast<unsigned>(indices[i + j]) << j * kBits;
    packed[i / kPerByte] = static_cast<u8>(byte);
  }
}

// Does not store never over never, so that untouched pages stay untouched.
template <unsigned kBits>
void unpack_values(const u8* packed, const Timestamp* values, Timestamp* cells, std::size_t count) {
  constexpr std::size_t kPerByte = 8 / kBits;
  for (std::size_t i = 0; i < count; i += kTogether) {
    Timestamp together[kTogether];
    u32 any = 0;
    for (std::size_t j = 0; j < kTogether; j++) {
      const unsigned byte = packed[(i + j) / kPerByte];
      together[j] = values[byte >> j % kPerByte * kBits & ((1u << kBits) - 1)];
      any |= together[j].value();
    }
    if (any != 0)
      std::copy_n(together, kTogether, cells + i);
    else
      clear(cells + i, kTogether);
  }
}

template <unsigned kBits> void unpack_indices(const u8* packed, u8* indices, std::size_t count) {
  constexpr std::size_t kPerByte = 8 / kBits;
  for (std::size_t i = 0; i < count; i += kPerByte) {
    const unsigned byte = packed[i / kPerByte];
    if (byte != 0) // untouched pages take no memory
      for (std::size_t j = 0; j < kPerByte; j++)
        indices[i + j] = static_cast<u8>(byte >> j * kBits & ((1u << kBits) - 1));
  }
}

void fill(Timestamp* cells, std::size_t count, Timestamp value) {
  for (std::size_t i = 0; i < count; i += kTogether)
    for (std::size_t j = 0; j < kTogether; j++)
      cells[i + j] = value;
}

} // namespace

PackedCells* PackedCells::make(const Timestamp* values, std::size_t count, const u8* indices,
                               std::size_t cells) {
  const auto wide = static_cast<unsigned>(std::bit_width(count - 1));
  const unsigned bits = count == 1 ? 0 : std::bit_ceil(wide);
  const std::size_t bytes = sizeof(PackedCells) + count * sizeof(Timestamp) + cells * bits / 8;
  auto* packed =
      new (allocate("aprof.shadow.packed", bytes)) PackedCells(static_cast<u32>(count), bits);
  std::copy_n(values, count, packed->dictionary());
  switch (bits) {
  case 1: pack_indices<1>(indices, cells, packed->indices()); break;
  case 2: pack_indices<2>(indices, cells, packed->indices()); break;
  case 4: pack_indices<4>(indices, cells, packed->indices()); break;
  case 8: pack_indices<8>(indices, cells, packed->indices()); break;
  }
  return packed;
}

void PackedCells::unpack(Timestamp* cells, std::size_t count) const {
  switch (bits_) {
  case 0:
    if (dictionary()[0].is_never())
      clear(cells, count);
    else
      fill(cells, count, dictionary()[0]);
    break;
  case 1: unpack_values<1>(indices(), dictionary(), cells, count); break;
  case 2: unpack_values<2>(indices(), dictionary(), cells, count); break;
  case 4: unpack_values<4>(indices(), dictionary(), cells, count); break;
  default: unpack_values<8>(indices(), dictionary(), cells, count); break;
  }
}

u32 PackedCells::unpack_indices(Timestamp* dictionary, u8* indices, std::size_t cells) const {
  std::copy_n(this->dictionary(), values_, dictionary);
  switch (bits_) {
  case 1: ::unpack_indices<1>(this->indices(), indices, cells); break;
  case 2: ::unpack_indices<2>(this->indices(), indices, cells); break;
  case 4: ::unpack_indices<4>(this->indices(), indices, cells); break;
  case 8: ::unpack_indices<8>(this->indices(), indices, cells); break;
  }
  return values_;
}

Packer::Packer(std::size_t cells)
    : cells_(cells), indices_(static_cast<u8*>(allocate("aprof.shadow.packer", cells))) {}

void Packer::clear() {
  for (Known& known : known_)
    known.key = kNoKey;
  for (u16& slot : slots_)
    slot = 0;
  size_ = 0;
}

std::size_t Packer::find_or_add(Timestamp value) {
  constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  std::size_t i = value.value() * 0x9E3779B1u >> (32 - kSlotBits);
  while (slots_[i] != 0 && values_[slots_[i] - 1] != value)
    i = (i + 1) % kSlots;
  if (slots_[i] != 0)
    return slots_[i] - 1u;
  if (size_ == PackedCells::kMostValues)
    return size_;
  values_[size_] = value;
  slots_[i] = static_cast<u16>(size_ + 1);
  return size_++;
}
