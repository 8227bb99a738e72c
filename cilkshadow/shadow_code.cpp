#include "cilkshadow/shadow_code.hpp"

#include "cilkshadow/atomic_code.hpp"
#include "cilkshadow/locks.hpp"
#include "cilkshadow/spin_code.hpp"
#include "cilkshadow/template_code.hpp"

IRSB* shadow_code::instrument(const Instrumentation& with, const IRSB* block, IRSB* traced) {
  traced = atomic_code::instrument(with, block, traced);
  traced = spin_code::instrument(with, block, traced);
  traced = template_code::instrument(with, traced);
  return locks::instrument(traced);
}
