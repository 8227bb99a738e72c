#include "cilkshadow/options.hpp"

#include "base/lazy.hpp"
#include "base/option_table.hpp"
#include "trace/clones_option.hpp"

namespace cilkshadow::options {
namespace {

using namespace option_value;

constexpr u64 kMostStrands = 1'000'000; // 80 megabytes in the file
constexpr u64 kMostBurden = 1'000'000'000'000;

constexpr Option<Options> kOptions[] = {
    {"--cilkshadow-out-file=", "<file>",
     "profile output file; %p is the process id, %q{VAR}\n"
     "        an environment variable, %n a number [cilkshadow.out.%p]",
     false,
     [](Options& o, const char* v) {
       o.out_file = v;
       return *v != 0;
     }},
    {"--work=", "instr|bb",
     "unit of work and span: guest instructions or guest\n"
     "        basic blocks [instr]",
     false,
     [](Options& o, const char* v) {
       const char* unit = nullptr;
       const bool good = one_of(unit, v, {"instr", "bb"});
       o.basic_blocks = good && unit[0] == 'b';
       return good;
     }},
    {"--burden=", "<number>",
     "units of work that each spawn adds, in the burdened span,\n"
     "        to the child and to the code after it [15000]",
     false, [](Options& o, const char* v) { return number(o.burden, v, 0, kMostBurden); }},
    {"--loops=", "yes|no", "also measure loops, as parts of their routines [yes]", false,
     [](Options& o, const char* v) { return yes_or_no(o.loops, v); }},
    {"--dag=", "no|yes", "record the dag of strands, for cilkshadow-report --processors [yes]",
     false, [](Options& o, const char* v) { return yes_or_no(o.dag, v); }},
    clones_option<Options>(),
    {"--toggle-collect=", "<fn>",
     "measure only while <fn> runs, in any thread; <fn> may\n"
     "        contain * and ?; may be repeated [all]",
     false, [](Options& o, const char* v) { return one_more(o.toggle_collect, v); }},
    {"--dag-strands=", "<number>", "fold the dag until it has at most <number> strands [32768]",
     true, [](Options& o, const char* v) { return number(o.dag_strands, v, 100, kMostStrands); }},
    {"--batch-events=", "no|yes",
     "log calls, returns and markers, process them in batches, and measure\n"
     "        invocations that are alike once; no: process each as it happens [yes]",
     true, [](Options& o, const char* v) { return yes_or_no(o.batch_events, v); }},
};

Lazy<Options> chosen{"cilkshadow.options"};

} // namespace

const Options& get() { return *chosen; }
bool parse(const char* argument) { return parse_option(kOptions, *chosen, argument); }
void print_usage() { print_options(kOptions, false); }
void print_debug_usage() { print_options(kOptions, true); }

} // namespace cilkshadow::options
