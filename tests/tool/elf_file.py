"""Reads from an ELF file what the tests need: its sections and its code."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Section:
    name: str
    address: int
    offset: int
    size: int

    def __contains__(self, address: int) -> bool:
        return self.address <= address < self.address + self.size


class ElfFile:
    """A 64-bit little-endian one."""

    def __init__(self, path: Path) -> None:
        self._bytes = path.read_bytes()
        assert self._bytes[:6] == b"\x7fELF\x02\x01"
        (self.entry,) = struct.unpack_from("<Q", self._bytes, 24)
        (table,) = struct.unpack_from("<Q", self._bytes, 40)
        size, count, names = struct.unpack_from("<HHH", self._bytes, 58)
        headers = [
            struct.unpack_from("<IIQQQQ", self._bytes, table + i * size) for i in range(count)
        ]
        names_at = headers[names][4]
        self.sections = [
            Section(self._text(names_at + name), address, offset, length)
            for name, _, _, address, offset, length in headers
            if address != 0
        ]

    def _text(self, offset: int) -> str:
        return self._bytes[offset : self._bytes.index(b"\0", offset)].decode()

    def section(self, address: int) -> Section | None:
        return next((s for s in self.sections if address in s and s.name != ".tbss"), None)

    def code(self, address: int) -> bytes:
        """The bytes of an instruction, and some that follow."""
        section = self.section(address)
        assert section is not None
        start = section.offset + address - section.address
        return self._bytes[start : start + 15]

    def is_call(self, address: int) -> bool:
        """Whether the instruction there is a call, direct or not."""
        code = self._without_prefixes(address)
        return code[0] == 0xE8 or (code[0] == 0xFF and code[1] >> 3 & 7 == 2)

    def is_return(self, address: int) -> bool:
        return self._without_prefixes(address)[0] in b"\xc2\xc3"

    def direct_target(self, address: int) -> int | None:
        """Where the direct call or near jump there goes."""
        code = self._without_prefixes(address)
        after = address + len(self.code(address)) - len(code)
        if code[0] in (0xE8, 0xE9):
            return after + 5 + int(struct.unpack_from("<i", code, 1)[0])
        if code[0] == 0x0F and code[1] & 0xF0 == 0x80:
            return after + 6 + int(struct.unpack_from("<i", code, 2)[0])
        return None

    def _without_prefixes(self, address: int) -> bytes:
        code = self.code(address)
        while code[0] in b"\x66\xf2\x3e\x2e" or 0x40 <= code[0] <= 0x4F:
            code = code[1:]
        return code
