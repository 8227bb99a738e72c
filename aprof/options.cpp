#include "aprof/options.hpp"

#include "base/option_table.hpp"
#include "trace/clones_option.hpp"

#include <bit>

namespace {

using namespace option_value;

constexpr u64 kMostPoints = 1'000'000'000;
constexpr u64 kMostContexts = 1'000'000'000;
constexpr u64 kMostTicks = u64{1} << 30;

constexpr Option<Options> kOptions[] = {
    {"--aprof-out-file=", "<file>",
     "profile output file; %p is the process id, %q{VAR}\n"
     "        an environment variable, %n a number [aprof.out.%p]",
     false,
     [](Options& o, const char* v) {
       o.out_file = v;
       return *v != 0;
     }},
    {"--input-metric=", "rms|trms|both",
     "input size of an activation: cells that it reads before\n"
     "        writing them (rms); also cells that another thread or\n"
     "        the kernel has written since (trms) [both]",
     false,
     [](Options& o, const char* v) {
       return one_of(o.input_metric, v, {"rms", "trms", "both"});
     }},
    {"--cost=", "bb|instr|both",
     "cost of an activation: guest basic blocks, guest\n"
     "        instructions, or both [bb]",
     false,
     [](Options& o, const char* v) {
       return one_of(o.cost, v, {"bb", "instr", "both"});
     }},
    {"--work-span=", "no|yes",
     "also measure the work and span of each activation, as\n"
     "        cilkshadow does, in instructions or, with --cost=bb, in\n"
     "        basic blocks [no]",
     false, [](Options& o, const char* v) { return yes_or_no(o.work_span, v); }},
    {"--loops=", "no|yes",
     "also measure each execution of a loop, like one of a routine,\n"
     "        and its iterations [yes]",
     false, [](Options& o, const char* v) { return yes_or_no(o.loops, v); }},
    {"--lines=", "no|yes", "also count the instructions of each source line [yes]", false,
     [](Options& o, const char* v) { return yes_or_no(o.lines, v); }},
    {"--arguments=", "no|auto|yes",
     "also record costs by the value of a routine's integer\n"
     "        arguments; auto: only arguments that explain the cost\n"
     "        better than input sizes do [auto]",
     false,
     [](Options& o, const char* v) {
       return one_of(o.arguments, v, {"no", "auto", "yes"});
     }},
    {"--memory-resolution=", "1|2|4|8|16", "bytes per memory cell, the unit of input sizes [4]",
     false,
     [](Options& o, const char* v) {
       u64 bytes;
       if (!number(bytes, v, 1, 16) || !std::has_single_bit(bytes))
         return false;
       o.memory_resolution = static_cast<unsigned>(bytes);
       return true;
     }},
    clones_option<Options>(),
    {"--separate-threads=", "no|yes", "record the numbers of each thread separately [yes]", false,
     [](Options& o, const char* v) { return yes_or_no(o.separate_threads, v); }},
    {"--toggle-collect=", "<fn>",
     "record only activations of <fn> and what they call; <fn>\n"
     "        may contain * and ?; may be repeated [all]",
     false, [](Options& o, const char* v) { return one_more(o.toggle_collect, v); }},
    {"--collect-from=", "<fn>",
     "record activations only after a call of <fn>; patterns\n"
     "        as above [none]",
     false, [](Options& o, const char* v) { return one_more(o.collect_from, v); }},
    {"--collect-until=", "<fn>",
     "stop recording with a call of <fn>, until the next call\n"
     "        of a --collect-from function [none]",
     false, [](Options& o, const char* v) { return one_more(o.collect_until, v); }},
    {"--collect-at-start=", "no|yes",
     "record activations from the beginning; no: only after\n"
     "        the client request APROF_START (aprof.h) [yes]",
     false, [](Options& o, const char* v) { return yes_or_no(o.collect_at_start, v); }},
    {"--instr-at-start=", "no|yes",
     "instrument from the beginning; no: only after the client\n"
     "        request APROF_START_INSTRUMENTATION or the monitor\n"
     "        command 'instrumentation on' [yes]",
     false, [](Options& o, const char* v) { return yes_or_no(o.instr_at_start, v); }},
    {"--max-points=", "<number>",
     "maximum number of input sizes kept per routine, thread\n"
     "        and metric, 100 or more; beyond it, neighbouring sizes\n"
     "        are merged [10000]",
     false, [](Options& o, const char* v) { return number(o.max_points, v, 100, kMostPoints); }},
    {"--contexts=", "no|yes",
     "also keep the numbers of each calling context: the path of\n"
     "        routines by which a routine was called [no]",
     false, [](Options& o, const char* v) { return yes_or_no(o.contexts, v); }},
    {"--max-contexts=", "<number>",
     "maximum number of calling contexts kept; activations\n"
     "        beyond them are merged by routine and thread [50000]",
     false, [](Options& o, const char* v) { return number(o.max_contexts, v, 1, kMostContexts); }},
    {"--counter-limit=", "<number>",
     "renumber timestamps every <number> ticks, 10 to 2^30;\n"
     "        0: when 31 bits are used up [0]",
     true,
     [](Options& o, const char* v) {
       return number(o.counter_limit, v, 0, kMostTicks) &&
              (o.counter_limit == 0 || o.counter_limit >= 10);
     }},
    {"--pack-every=", "<number>",
     "pack idle shadow memory whenever <number> more blocks of\n"
     "        64 KiB are in use; 0: when it pays [0]",
     true, [](Options& o, const char* v) { return number(o.pack_every, v, 0, kMostTicks); }},
    {"--sanity=", "no|yes",
     "check the invariants at every return, renumbering and\n"
     "        dump [no]",
     true, [](Options& o, const char* v) { return yes_or_no(o.sanity, v); }},
    {"--trace-file=", "<file>",
     "write every event that the profile is computed from;\n"
     "        %p and the like as in --aprof-out-file [none]",
     true,
     [](Options& o, const char* v) {
       o.trace_file = *v == 0 ? nullptr : VG_(expand_file_name)("--trace-file", v);
       return *v != 0;
     }},
};

Options* the_options;

} // namespace

ProfileOptions Options::for_profile() const {
  ProfileOptions profile;
  profile.rms = VG_(strcmp)(input_metric, "trms") != 0;
  profile.trms = VG_(strcmp)(input_metric, "rms") != 0;
  profile.event_count = VG_(strcmp)(cost, "both") == 0 ? 2 : 1;
  if (VG_(strcmp)(cost, "instr") == 0)
    profile.events[0] = CostEvent::instructions;
  profile.work_event = profile.events[profile.event_count - 1];
  if (work_span) {
    profile.events[profile.event_count++] = CostEvent::work;
    profile.events[profile.event_count++] = CostEvent::span;
  }
  profile.loops = loops;
  if (VG_(strcmp)(arguments, "no") != 0)
    profile.arguments =
        VG_(strcmp)(arguments, "yes") == 0 ? KeepArguments::all : KeepArguments::informative;
  profile.separate_threads = separate_threads;
  profile.max_points = max_points;
  profile.max_contexts = contexts ? max_contexts : 0;
  return profile;
}

unsigned Options::cell_shift() const {
  return static_cast<unsigned>(std::countr_zero(memory_resolution));
}

namespace aprof::options {

Options& get() {
  if (the_options == nullptr)
    the_options = create<Options>("aprof.options");
  return *the_options;
}

bool parse(const char* argument) { return parse_option(kOptions, get(), argument); }
void print_usage() { print_options(kOptions, false); }
void print_debug_usage() { print_options(kOptions, true); }

} // namespace aprof::options
