#include "work_span/code/shadow_code.hpp"

#include "work_span/code/atomic_code.hpp"
#include "work_span/code/free_code.hpp"
#include "work_span/code/spin_code.hpp"
#include "work_span/code/template_code.hpp"

IRSB* shadow_code::instrument(const Instrumentation& with, const IRSB* block, IRSB* traced) {
  traced = atomic_code::instrument(with, block, traced);
  traced = spin_code::instrument(with, block, traced);
  traced = template_code::instrument(with, traced);
  return free_code::instrument(traced);
}
