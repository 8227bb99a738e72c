int library_link(int n); // calls library_end in tail position
int library_end(int n);  // reads one cell
