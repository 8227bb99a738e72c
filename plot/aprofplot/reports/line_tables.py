"""The files that DWARF line tables name, versions 2 to 5 (section 6.2.4 of the standard).

Only the headers are read. pyelftools takes 20 ms for that of one unit, as it reads the abbreviations
first, and a program may have thousands: here it is 3 us for a file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

Sections = Mapping[str, bytes]  # by name

_PATH, _FOLDER = 1, 2  # DW_LNCT_path, DW_LNCT_directory_index
_FIXED = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}  # DW_FORM_data1, 2, 4, 8, 16: bytes
_STRINGS = {0x1F: ".debug_line_str", 0x0E: ".debug_str"}  # DW_FORM_line_strp, DW_FORM_strp


def named_paths(sections: Sections) -> Iterator[bytes]:
    """The path of each file of each unit: absolute, or relative to where the unit was compiled, which
    versions before 5 do not say here. ValueError or IndexError for a damaged table."""
    line = sections[".debug_line"]
    at = 0
    while at < len(line):
        reader = _Reader(line, at, sections)
        yield from reader.paths()
        at = reader.end


class _Reader:
    """Goes through the header of the line table of one unit, which begins at `at`."""

    def __init__(self, data: bytes, at: int, sections: Sections) -> None:
        self._data = data
        self._at = at
        self._sections = sections
        self._offset_size = 4
        length = self._number(4)
        if length == 0xFFFFFFFF:
            self._offset_size = 8
            length = self._number(8)
        self.end = self._at + length
        if self.end > len(data):
            raise ValueError("a line table is longer than its section")

    def paths(self) -> Iterator[bytes]:
        """As named_paths, of this unit; none of a version that is not known."""
        version = self._number(2)
        if not 2 <= version <= 5:
            return
        self._skip(2 if version >= 5 else 0)  # sizes of addresses and segment selectors
        self._skip(self._offset_size)  # length of the header
        self._skip(5 if version >= 4 else 4)  # instruction lengths, line base and range
        self._skip(max(self._number(1) - 1, 0))  # lengths of the standard opcodes
        if version >= 5:
            folders = [path for path, _ in self._table()]
            files = list(self._table())
            folders = [posixpath.join(folders[0], folder) for folder in folders]
        else:
            folders = [b"", *self._folders()]
            files = list(self._files())
        for path, folder in files:
            yield posixpath.join(folders[folder] if folder < len(folders) else b"", path)

    def _folders(self) -> Iterator[bytes]:
        while folder := self._string():
            yield folder

    def _files(self) -> Iterator[tuple[bytes, int]]:
        while path := self._string():
            folder = self._leb128()
            self._leb128()  # time
            self._leb128()  # size
            yield path, folder

    def _table(self) -> Iterator[tuple[bytes, int]]:
        """Path and number of the folder of each entry, version 5."""
        form = [(self._leb128(), self._leb128()) for _ in range(self._number(1))]
        for _ in range(self._leb128() if form else 0):
            entry: dict[int, bytes | int] = {kind: self._value(of) for kind, of in form}
            path, folder = entry.get(_PATH, b""), entry.get(_FOLDER, 0)
            if isinstance(path, bytes) and isinstance(folder, int):
                yield path, folder

    def _value(self, form: int) -> bytes | int:
        if form in _STRINGS:
            strings, at = self._sections[_STRINGS[form]], self._number(self._offset_size)
            return strings[at : strings.index(b"\0", at)]
        if form == 0x08:  # DW_FORM_string
            return self._string()
        if form in _FIXED:
            return self._number(_FIXED[form])
        if form == 0x0F:  # DW_FORM_udata
            return self._leb128()
        if form == 0x09:  # DW_FORM_block
            self._skip(self._leb128())
            return 0
        raise ValueError(f"form {form:#x} in a line table")

    def _skip(self, size: int) -> None:
        self._at += size

    def _number(self, size: int) -> int:
        if self._at + size > len(self._data):
            raise ValueError("a line table is cut off")
        self._at += size
        return int.from_bytes(self._data[self._at - size : self._at], "little")

    def _leb128(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def _string(self) -> bytes:
        start, end = self._at, self._data.index(b"\0", self._at)
        self._at = end + 1
        return self._data[start:end]
