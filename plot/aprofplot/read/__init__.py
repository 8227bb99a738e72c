"""From a profile's bytes to the model: profile_file (lines, checksum), profile_reader (records),
header_reader, point_rows and point_batch (numbers)."""
