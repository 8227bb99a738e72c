"""From a profile's bytes to the model: profile_file (lines, checksum), profile_reader (records),
header_reader and names_reader, then the numbers: point_batch (many tables at a time, by batch_layout,
digit_lines and point_checks; table_errors says what is wrong), tables, call_edges and context_tree;
thread_sums and call_sums add up threads."""
