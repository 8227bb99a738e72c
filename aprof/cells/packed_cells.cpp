#include "aprof/cells/packed_cells.hpp"

#include <algorithm>
#include <bit>

namespace {

template <unsigned kBits> void put_together(const u8* places, std::size_t count, u8* packed) {
  constexpr std::size_t kPerByte = 8 / kBits;
  for (std::size_t i = 0; i < count; i += kPerByte) {
    unsigned byte = 0;
    for (std::size_t j = 0; j < kPerByte; j++)
      byte |= static_cast<unsigned>(places[i + j]) << j * kBits;
    packed[i / kPerByte] = static_cast<u8>(byte);
  }
}

// As many cells at once as compilers need to see to use few instructions for them.
constexpr std::size_t kTogether = 64;

// What was never accessed is left alone where that is so already.
template <unsigned kBits>
void take_apart(const u8* packed, const Timestamp* values, Timestamp* cells, std::size_t count) {
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
      forget(cells + i, kTogether);
  }
}

template <unsigned kBits> void open_places(const u8* packed, u8* places, std::size_t count) {
  constexpr std::size_t kPerByte = 8 / kBits;
  for (std::size_t i = 0; i < count; i += kPerByte) {
    const unsigned byte = packed[i / kPerByte];
    if (byte != 0) // pages that are zero take no memory
      for (std::size_t j = 0; j < kPerByte; j++)
        places[i + j] = static_cast<u8>(byte >> j * kBits & ((1u << kBits) - 1));
  }
}

void fill(Timestamp* cells, std::size_t count, Timestamp value) {
  for (std::size_t i = 0; i < count; i += kTogether)
    for (std::size_t j = 0; j < kTogether; j++)
      cells[i + j] = value;
}

} // namespace

bool are_equal(const Timestamp* cells, std::size_t count) {
  const u32 first = cells[0].value();
  u32 different = 0;
  for (std::size_t i = 0; i < count && different == 0; i += kTogether)
    for (std::size_t j = 0; j < kTogether; j++)
      different |= cells[i + j].value() ^ first;
  return different == 0;
}

void forget(Timestamp* cells, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kTogether) {
    u32 any = 0;
    for (std::size_t j = 0; j < kTogether; j++)
      any |= cells[i + j].value();
    if (any != 0)
      std::fill_n(cells + i, kTogether, Timestamp::never());
  }
}

PackedCells* PackedCells::make(const Timestamp* values, std::size_t count, const u8* places,
                               std::size_t cells) {
  const auto wide = static_cast<unsigned>(std::bit_width(count - 1));
  const unsigned bits = count == 1 ? 0 : std::bit_ceil(wide);
  const std::size_t bytes = sizeof(PackedCells) + count * sizeof(Timestamp) + cells * bits / 8;
  auto* packed =
      new (allocate("aprof.shadow.packed", bytes)) PackedCells(static_cast<u32>(count), bits);
  std::copy_n(values, count, packed->dictionary());
  switch (bits) {
  case 1: put_together<1>(places, cells, packed->places()); break;
  case 2: put_together<2>(places, cells, packed->places()); break;
  case 4: put_together<4>(places, cells, packed->places()); break;
  case 8: put_together<8>(places, cells, packed->places()); break;
  }
  return packed;
}

void PackedCells::unpack(Timestamp* cells, std::size_t count) const {
  switch (bits_) {
  case 0:
    if (dictionary()[0].is_never())
      forget(cells, count);
    else
      fill(cells, count, dictionary()[0]);
    break;
  case 1: take_apart<1>(places(), dictionary(), cells, count); break;
  case 2: take_apart<2>(places(), dictionary(), cells, count); break;
  case 4: take_apart<4>(places(), dictionary(), cells, count); break;
  default: take_apart<8>(places(), dictionary(), cells, count); break;
  }
}

u32 PackedCells::open(Timestamp* dictionary, u8* places, std::size_t cells) const {
  std::copy_n(this->dictionary(), values_, dictionary);
  switch (bits_) {
  case 1: open_places<1>(this->places(), places, cells); break;
  case 2: open_places<2>(this->places(), places, cells); break;
  case 4: open_places<4>(this->places(), places, cells); break;
  case 8: open_places<8>(this->places(), places, cells); break;
  }
  return values_;
}

Packer::Packer(std::size_t cells)
    : cells_(cells), places_(static_cast<u8*>(allocate("aprof.shadow.packer", cells))) {}

void Packer::clear() {
  for (Known& known : known_)
    known.key = kNoKey;
  for (u16& slot : slots_)
    slot = 0;
  size_ = 0;
}

std::size_t Packer::place_of(Timestamp value) {
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
