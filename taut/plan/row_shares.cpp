#include <taut/plan/row_shares.hpp>

#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/time/time_column.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// The fewest rows with which each job makes sense.
struct Job {
  const char* name;
  Index least;
};
constexpr std::array<Job, 4> jobs = {{{"predictor", 5}, {"transformation", 10}, {"validation", 5}, {"calibration", 1}}};

Index least_of(const Job& job, const Unit& unit) { return unit.is_group ? 1 : job.least; }

}  // namespace

std::array<double, 4> read_shares(const FitOptions& options) {
  const bool given = options.has_f();
  const auto words = split_text(options.split, ',');
  std::vector<double> shares;
  for (const auto& word : words) shares.push_back(parse_number_or_throw(word, "--split"));
  if (given && shares.size() == 3) shares.insert(shares.begin(), 0.0);
  if (shares.size() != 4)
    throw UsageError(
        "--split takes cross, cv+, jackknife+ or four shares (predictor, transformation, validation, calibration), for example "
        "0.4,0.3,0.1,0.2" +
        std::string(given ? "; with --prediction the last three suffice" : "") + "; got '" + options.split + "'");
  double sum = 0;
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1)) throw UsageError("--split: a share lies between 0 and 1, got '" + options.split + "'");
    sum += share;
  }
  if (sum > 1 + 1e-9)
    throw UsageError("--split: the shares sum to " + print_rounded(sum) + ", more than 1: '" + options.split + "'");
  return {given ? 0 : shares[0], shares[1], shares[2], shares[3]};
}

// Where a fifth is fewer than the 19 rows with which the level 0.95 can be kept, they take up to a half: an interval that is the
// whole line is of no use, however good the model behind it.
double calibration_share(Index rows) {
  constexpr double usual = 0.2;
  constexpr Index enough = 19;
  const Index usual_rows = static_cast<Index>(usual * static_cast<double>(rows));
  if (usual_rows >= enough) return usual;
  const Index wanted = std::min({enough, rows / 2, rows - least_rows_of_cross});
  return static_cast<double>(std::max<Index>(1, wanted)) / static_cast<double>(rows);
}

bool learns_nothing(const FitOptions& options) {
  // "age:5" is cut at quantiles of rows that do not calibrate; "age:18/40" is not.
  const auto is_cut_at_quantiles = [](const std::string& specification) {
    return specification.find(':') != std::string::npos && specification.find('/') == std::string::npos;
  };
  return options.split.empty() && options.has_f() && !options.adapts() && !options.has_past() &&
         std::none_of(options.by.begin(), options.by.end(), is_cut_at_quantiles);
}

void throw_too_few(const std::string& source, Index rows, Index least, const std::string& why, const std::string& what) {
  throw Error(source + ": too few " + what + ": " + why + " needs at least " + print_count(least) + ", there are " +
              print_count(rows) + "; give more " + what + " or another --split");
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
    if (shares[job] == 0)
      throw UsageError("--split leaves no rows for the " + std::string(jobs[job].name) + ": '" + options.split + "'");
    const Index fewest = least_of(jobs[job], unit);
    const auto least = static_cast<Index>(std::ceil(static_cast<double>(fewest) / shares[job]));
    if (static_cast<Index>(std::floor(shares[job] * static_cast<double>(rows))) < fewest)
      throw_too_few(source, rows, least, "the share for the " + std::string(jobs[job].name), unit.name);
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
