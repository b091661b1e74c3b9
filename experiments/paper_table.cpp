#include <experiments/paper_table.hpp>

#include <experiments/data_sets.hpp>
#include <experiments/jobs.hpp>
#include <experiments/oracle.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/version.hpp>
#include <taut/metric/interval.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>

namespace taut {

// Half-widths that the paper published for the real data sets: N. Colombo, On training locally adaptive CP, COPA 2023.

namespace {

using Sizes = std::array<double, 3>;  // at alpha .05, .1, .32

const std::map<std::string, std::map<std::string, Sizes>> sizes_of_paper = {
    {"energy",
     {{"erc (error fit)", {0.860, 0.431, 0.103}},
      {"erc", {0.259, 0.184, 0.083}},
      {"linear", {0.172, 0.134, 0.078}},
      {"exp", {0.161, 0.131, 0.075}},
      {"sigma", {0.169, 0.135, 0.078}},
      {"fixed", {0.192, 0.143, 0.082}}}},
    {"concrete",
     {{"erc (error fit)", {0.736, 0.484, 0.270}},
      {"erc", {0.903, 0.637, 0.290}},
      {"linear", {0.569, 0.457, 0.267}},
      {"exp", {0.567, 0.450, 0.274}},
      {"sigma", {0.557, 0.453, 0.268}},
      {"fixed", {0.610, 0.472, 0.271}}}},
    {"homes",
     {{"erc (error fit)", {1.664, 0.864, 0.234}},
      {"erc", {0.526, 0.409, 0.195}},
      {"linear", {0.522, 0.425, 0.206}},
      {"exp", {0.521, 0.392, 0.197}},
      {"sigma", {0.533, 0.421, 0.203}},
      {"fixed", {0.721, 0.484, 0.192}}}},
    {"CASP",
     {{"erc (error fit)", {1.375, 1.073, 0.643}},
      {"erc", {1.412, 1.045, 0.637}},
      {"linear", {1.392, 1.018, 0.631}},
      {"exp", {1.363, 1.014, 0.635}},
      {"sigma", {1.321, 1.030, 0.629}},
      {"fixed", {1.492, 1.093, 0.659}}}},
    {"facebook_1",
     {{"erc (error fit)", {3.404, 1.473, 0.281}},
      {"erc", {3.332, 1.389, 0.282}},
      {"linear", {3.091, 1.523, 0.289}},
      {"exp", {3.268, 1.534, 0.281}},
      {"sigma", {3.088, 1.376, 0.292}},
      {"fixed", {3.612, 1.519, 0.276}}}},
};

}  // namespace

std::optional<Sizes> published_sizes(const std::string& set, const std::string& method) {
  const auto rows = sizes_of_paper.find(set);
  if (rows == sizes_of_paper.end()) return std::nullopt;
  const auto found = rows->second.find(method);
  if (found == rows->second.end()) return std::nullopt;
  return found->second;
}

namespace {

// All bands of the table hold at the same time with this probability, whatever their dependence (Bonferroni).
constexpr double all_bands = 0.99;

// The approximate seconds on one core, for the order of the jobs and the time left.
double cost_of(const DataSet& set, const Method& method) {
  const double thousands = 0.001 * static_cast<double>(set.rows) + 1;
  if (!method.trained) return 0.01 * thousands;
  if (method.options.localizer == "mlp") return 0.05 * thousands;
  return (method.focuses ? 1.0 : 0.3) * thousands;
}

std::string key_of(const DataSet& set, std::uint64_t data, Protocol protocol, const FitOptions& options, const Method& method) {
  return "reproduce " + std::string(version) + " " + name_of(protocol) + " " + set.name + " " + std::to_string(data) + " " +
         method.name + (method.focuses ? " focus" : "") + " " + describe_options(options);
}

// One job for every set, run and method, nested in this order.
std::vector<Job> jobs_of(const std::vector<DataSet>& sets, const std::vector<Method>& methods, const TableSettings& settings,
                         const ExecutionContext& context) {
  const Protocol protocol = read_protocol(settings.protocol);
  std::vector<Job> jobs;
  for (const auto& set : sets) {
    const auto rows = set.synthetic() ? nullptr : std::make_shared<const Table>(read_data_set(set, settings.data, context));
    const std::uint64_t data = rows ? checksum_of(*rows) : 0;
    for (Index number = 0; number < settings.runs; ++number) {
      const auto setting = std::make_shared<Setting>(set, rows, protocol, settings.seed + number);
      for (const auto& method : methods)
        jobs.push_back({key_of(set, data, protocol, setting->options_for(method), method), cost_of(set, method),
                        [setting, method](const ExecutionContext& inner) { return setting->evaluate(method, inner); }});
    }
  }
  return jobs;
}

TableCell cell_of(const std::vector<const NamedValues*>& runs, std::size_t level, double band) {
  const double confidence = paper_levels()[level];
  const std::string suffix = "_" + print_number(confidence);
  TableCell cell{paper_alphas[level], {}, {}, {}};
  std::vector<double> sizes, coverages, left_out;
  for (const NamedValues* run : runs) {
    sizes.push_back(value_named(*run, "size" + suffix));
    coverages.push_back(value_named(*run, "coverage" + suffix));
    left_out.push_back(value_named(*run, "left_out" + suffix));
    const auto calibration = static_cast<Index>(value_named(*run, "calibration_rows"));
    const auto tested = static_cast<Index>(value_named(*run, "test_rows"));
    const Band allowed = coverage_band(tested, calibration, exact_rank(calibration, confidence), band);
    if (coverages.back() < allowed.low || coverages.back() > allowed.high) ++cell.outside;
  }
  cell.size = summarise(sizes);
  cell.coverage = summarise(coverages);
  cell.left_out = summarise(left_out);
  return cell;
}

std::vector<OracleRow> oracle_rows(const DataSet& set) {
  if (!set.synthetic()) return {};
  std::vector<OracleRow> rows;
  for (std::size_t level = 0; level < paper_alphas.size(); ++level) {
    const auto known = oracles(*synthetic_sets().make(set.name), paper_levels()[level]);
    rows.resize(known.size());
    for (std::size_t i = 0; i < known.size(); ++i) {
      rows[i].name = known[i].name;
      rows[i].sizes[level] = known[i].mean_half_width;
    }
  }
  return rows;
}

void compare_with_published(TableCell& cell, const DataSet& set, const std::string& method, std::size_t level) {
  const auto published = published_sizes(set.name, method);
  if (!published) return;
  cell.published = (*published)[level];
  cell.difference = (cell.size.mean - *cell.published) / cell.size.error;
}

TableRow row_of(const DataSet& set, const Method& method, const std::vector<const NamedValues*>& runs, double band,
                Protocol protocol) {
  TableRow row{method.name, is_own(method)};
  for (const NamedValues* run : runs) row.fell_back += value_named(*run, "fell_back");
  for (std::size_t level = 0; level < paper_alphas.size(); ++level) {
    row.cells.push_back(cell_of(runs, level, band));
    if (protocol == Protocol::paper) compare_with_published(row.cells.back(), set, method.name, level);
  }
  return row;
}

void check(const TableSettings& settings) {
  if (settings.runs < 1) throw UsageError("--runs must be at least 1, got " + std::to_string(settings.runs));
  if (settings.seed < 0) throw UsageError("--seed must be at least 0, got " + std::to_string(settings.seed));
}

}  // namespace

PaperTable reproduce_table(const TableSettings& settings, const ExecutionContext& context) {
  check(settings);
  const auto start = std::chrono::steady_clock::now();
  const auto sets = named_data_sets(settings.datasets);
  const auto methods = named_methods(settings.methods);
  const Protocol protocol = read_protocol(settings.protocol);
  const auto results = run_jobs(jobs_of(sets, methods, settings, context), settings.resume, "reproducing the table", context);

  PaperTable table{settings, {}, 0, 0, 0};
  table.coverages = std::ssize(sets) * std::ssize(methods) * std::ssize(paper_alphas) * settings.runs;
  const double band = 1 - (1 - all_bands) / static_cast<double>(table.coverages);
  const std::size_t jobs_per_set = static_cast<std::size_t>(settings.runs) * methods.size();
  for (std::size_t s = 0; s < sets.size(); ++s) {
    SetTable& set_table = table.sets.emplace_back(SetTable{sets[s]});
    set_table.oracles = oracle_rows(sets[s]);
    set_table.calibration_rows = static_cast<Index>(value_named(results[s * jobs_per_set], "calibration_rows"));
    set_table.test_rows = static_cast<Index>(value_named(results[s * jobs_per_set], "test_rows"));
    for (std::size_t m = 0; m < methods.size(); ++m) {
      std::vector<const NamedValues*> runs;
      for (std::size_t at = s * jobs_per_set + m; at < (s + 1) * jobs_per_set; at += methods.size()) runs.push_back(&results[at]);
      for (const NamedValues* run : runs) set_table.seconds += value_named(*run, "seconds");
      set_table.rows.push_back(row_of(sets[s], methods[m], runs, band, protocol));
      for (const auto& cell : set_table.rows.back().cells) table.outside += cell.outside;
    }
  }
  table.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return table;
}

}  // namespace taut
