/* Numbers that look random and are the same everywhere. */
static unsigned long random_state = 88172645463325252UL;

static unsigned long random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}
