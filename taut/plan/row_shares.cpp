#include <taut/plan/row_shares.hpp>

#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/time/time_column.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// A use of rows and its minimum number of rows.
struct Job {
  const char* name;
  Index minimum;
};
constexpr std::array<Job, 4> jobs = {{{"predictor", 5}, {"transformation", 10}, {"validation", 5}, {"calibration", 1}}};

Index min_of(const Job& job, const Unit& unit) { return unit.is_group ? 1 : job.minimum; }

}  // namespace

std::array<double, 4> read_shares(const FitOptions& options) {
  const bool has_f = options.has_f();
  const auto words = split_text(options.split, ',');
  std::vector<double> shares;
  for (const auto& word : words) shares.push_back(parse_number_or_throw(word, "--split"));
  if (has_f && shares.size() == 3) shares.insert(shares.begin(), 0.0);
  if (shares.size() != 4)
    throw UsageError(format_text(
        "--split takes cross, cv+, jackknife+ or four shares (predictor, transformation, validation, calibration), for example "
        "0.4,0.3,0.1,0.2{}; got '{}'",
        has_f ? "; with --prediction the last three suffice" : "", options.split));
  double sum = 0;
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1))
      throw UsageError(format_text("--split: a share lies between 0 and 1, got '{}'", options.split));
    sum += share;
  }
  if (sum > 1 + 1e-9)
    throw UsageError(format_text("--split: the shares sum to {}, more than 1: '{}'", print_rounded(sum), options.split));
  return {has_f ? 0 : shares[0], shares[1], shares[2], shares[3]};
}

// If a fifth is fewer than the 19 rows that the level 0.95 needs, up to half of the rows calibrate. An interval that is the whole
// line is useless, however good the model. A given distribution is trained already, and ranks of n rows add about 1 / n to its
// continuous ranked probability score: up to half of the rows calibrate if a fifth is fewer than 200.
double calibration_share(Index rows, const FitOptions& options) {
  constexpr double usual = 0.2;
  const Index enough = options.predicts_distribution() ? 200 : 19;
  const Index usual_rows = static_cast<Index>(usual * static_cast<double>(rows));
  if (usual_rows >= enough) return usual;
  const Index wanted = std::min({enough, rows / 2, rows - min_rows_of_cross});
  return static_cast<double>(std::max<Index>(1, wanted)) / static_cast<double>(rows);
}

bool can_all_rows_calibrate(const FitOptions& options) {
  // "age:5" is cut at quantiles of rows outside of the calibration set; "age:18/40" is not.
  const auto is_cut_at_quantiles = [](const std::string& specification) {
    return specification.find(':') != std::string::npos && specification.find('/') == std::string::npos;
  };
  return options.split.empty() && options.has_f() && !options.adapts() && !options.has_past() &&
         std::none_of(options.by.begin(), options.by.end(), is_cut_at_quantiles);
}

void throw_too_few(const std::string& source, Index rows, Index minimum, const std::string& why, const std::string& what) {
  throw Error(format_text("{}: too few {}: {} needs at least {}, there are {}; give more {} or another --split", source, what,
                          why, print_count(minimum), print_count(rows), what));
}

std::array<double, 4> checked_shares(Index rows, const FitOptions& options, bool calibration_elsewhere, const std::string& source,
                                     const Unit& unit) {
  auto shares = read_shares(options);
  if (calibration_elsewhere) {
    const double rest = shares[0] + shares[1] + shares[2];
    shares[3] = 0;
    if (rest > 0)
      for (double& share : shares) share /= rest;
  }
  const bool adapts = options.adapts();
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    const bool needed = job == 0 ? !options.has_f() : job == 3 ? !calibration_elsewhere : adapts;
    if (!needed) continue;
    if (shares[job] == 0) throw UsageError(format_text("--split leaves no rows for the {}: '{}'", jobs[job].name, options.split));
    const Index min_of_job = min_of(jobs[job], unit);
    const auto minimum = static_cast<Index>(std::ceil(static_cast<double>(min_of_job) / shares[job]));
    if (static_cast<Index>(std::floor(shares[job] * static_cast<double>(rows))) < min_of_job)
      throw_too_few(source, rows, minimum, "the share for the " + std::string(jobs[job].name), unit.name);
  }
  return shares;
}

std::vector<Rows> row_units(const TableView& given, Rows rows, const FitOptions& options, const ExecutionContext& context) {
  const TableView table = given.with_missing(options.na);
  if (!options.keep_together.empty()) {
    table.require(options.keep_together);
    const Matrix none;
    const GroupedRows of{table, table, rows, none};
    GroupColumns together({options.keep_together}, "--keep-together", of, {}, of);
    together.find_groups(of);
    const std::vector<Index> groups = together.groups_of(of);
    std::vector<Rows> units(static_cast<std::size_t>(together.groups()));
    for (std::size_t i = 0; i < rows.size(); ++i) units[static_cast<std::size_t>(groups[i])].push_back(rows[i]);
    return units;
  }
  if (!options.order_by.empty()) {
    if (!find_column(table.columns(), options.order_by))
      throw Error("--order-by: " + missing_column(table.source(), options.order_by, table.names()));
    sort_by_time(table, time_column(table, options.order_by, rows), rows, context);
  }
  std::vector<Rows> units;
  units.reserve(rows.size());
  for (const Index row : rows) units.push_back({row});
  return units;
}

Rows rows_of_units(const std::vector<Rows>& units, RowsView chosen) {
  Rows rows;
  for (const Index unit : chosen) {
    const Rows& own = units[static_cast<std::size_t>(unit)];
    rows.insert(rows.end(), own.begin(), own.end());
  }
  return rows;
}

}  // namespace taut
