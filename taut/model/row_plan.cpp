#include <taut/model/row_plan.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/split.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr Index folds_of_cross = 5;
// Three folds of one row: each predictor is trained on the other two, the fewest that can differ. A fourth row calibrates.
constexpr Index least_rows_of_cross = 3;

// A fifth of the rows calibrates. Where that is fewer than the 19 rows with which the level 0.95 can be kept, they take up to a
// half: an interval that is the whole line is of no use, however good the model behind it.
double calibration_share(Index rows) {
  constexpr double usual = 0.2;
  constexpr Index enough = 19;
  const Index usual_rows = static_cast<Index>(usual * static_cast<double>(rows));
  if (usual_rows >= enough) return usual;
  const Index wanted = std::min({enough, rows / 2, rows - least_rows_of_cross});
  return static_cast<double>(std::max<Index>(1, wanted)) / static_cast<double>(rows);
}

// The fewest rows with which each job makes sense.
struct Job {
  const char* name;
  Index least;
};
constexpr std::array<Job, 4> jobs = {{{"predictor", 5}, {"transformation", 10}, {"validation", 5}, {"calibration", 1}}};

[[noreturn]] void throw_too_few(const std::string& source, Index rows, Index least, const std::string& why) {
  throw Error(source + ": too few rows: " + why + " needs at least " + print_count(least) + ", there are " + print_count(rows) +
              "; give more rows or another --split");
}

std::array<double, 4> read_shares(const FitOptions& options) {
  const bool given = options.has_given_predictions();
  if (options.split.empty()) return {0, 0.6, 0.15, 0.25};  // f exists already
  const auto words = split_text(options.split, ',');
  std::vector<double> shares;
  for (const auto& word : words) shares.push_back(parse_number_or_throw(word, "--split"));
  if (given && shares.size() == 3) shares.insert(shares.begin(), 0.0);
  if (shares.size() != 4)
    throw UsageError(
        "--split takes cross or four shares (predictor, transformation, validation, calibration), for example "
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

RowPlan plan_shares(Index rows, const FitOptions& options, bool calibration_elsewhere, const std::string& source) {
  auto shares = read_shares(options);
  if (calibration_elsewhere) {
    const double rest = shares[0] + shares[1] + shares[2];
    shares[3] = 0;
    if (rest > 0)
      for (double& share : shares) share /= rest;
  }
  const bool adapts = options.adapts();
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    const bool needed = job == 0 ? !options.has_given_predictions() : job == 3 ? !calibration_elsewhere : adapts;
    if (!needed) continue;
    if (shares[job] == 0)
      throw UsageError("--split leaves no rows for the " + std::string(jobs[job].name) + ": '" + options.split + "'");
    const auto least = static_cast<Index>(std::ceil(static_cast<double>(jobs[job].least) / shares[job]));
    if (static_cast<Index>(std::floor(shares[job] * static_cast<double>(rows))) < jobs[job].least)
      throw_too_few(source, rows, least, "the share for the " + std::string(jobs[job].name));
  }
  Random random(static_cast<std::uint64_t>(options.seed));
  auto cut = parts(rows, shares, random);
  RowPlan plan;
  plan.predictor = std::move(cut[0]);
  plan.transform = std::move(cut[1]);
  const Index train = std::ssize(plan.transform);
  plan.transform.insert(plan.transform.end(), cut[2].begin(), cut[2].end());
  plan.parts = {{std::ssize(plan.transform), train, std::ssize(plan.transform)}};
  plan.calibration = std::move(cut[3]);
  return plan;
}

// The folds of f are the folds of φ: each member is judged by residuals and rows that neither its f nor its g has seen.
RowPlan plan_cross(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                   const std::string& source) {
  const Index least = calibration_elsewhere ? least_rows_of_cross : least_rows_of_cross + 1;
  if (rows < least) throw_too_few(source, rows, least, "--split cross");
  Random random(static_cast<std::uint64_t>(options.seed));
  const double held = calibration_elsewhere ? 0 : calibration_share(rows);
  auto cut = parts(rows, std::array{1 - held, held}, random);
  RowPlan plan;
  plan.calibration = std::move(cut[1]);
  for (const auto& fold : folds(cut[0], std::min(folds_of_cross, std::ssize(cut[0])), random)) {
    const Index begin = std::ssize(plan.transform);
    plan.transform.insert(plan.transform.end(), fold.begin(), fold.end());
    plan.parts.push_back({std::ssize(cut[0]), begin, std::ssize(plan.transform)});
  }
  if (!options.has_given_predictions()) {
    plan.predictor = plan.transform;
    plan.folds = plan.parts;
  }
  if (!localizer_crosses) plan.parts.resize(1);
  return plan;
}

}  // namespace

void RowPlan::place(const Rows& rows) {
  for (Rows* part : {&predictor, &transform, &calibration})
    for (Index& row : *part) row = rows[static_cast<std::size_t>(row)];
}

Rows RowPlan::choosing() const {
  Rows rows = predictor;
  if (folds.empty()) rows.insert(rows.end(), transform.begin(), transform.end());  // with folds both are the same rows
  std::sort(rows.begin(), rows.end());
  return rows;
}

Index RowPlan::transform_training_rows() const {
  return static_cast<Index>(transform.size()) - (parts.size() == 1 ? validation_rows() : 0);
}

Index RowPlan::validation_rows() const {
  Index count = 0;
  for (const auto& part : parts) count += part.validation_rows();
  return count;
}

RowPlan plan_rows(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                  const std::string& source) {
  const bool cross = options.split == "cross" || (options.split.empty() && !options.has_given_predictions());
  return cross ? plan_cross(rows, options, localizer_crosses, calibration_elsewhere, source)
               : plan_shares(rows, options, calibration_elsewhere, source);
}

Index count_calibration_rows(Index rows, const FitOptions& options) {
  const bool cross = options.split == "cross" || (options.split.empty() && !options.has_given_predictions());
  const auto n = static_cast<double>(rows);
  // As parts() cuts them: the last part begins where those before it, rounded together, end.
  if (cross) return rows <= least_rows_of_cross ? 0 : rows - std::llround((1 - calibration_share(rows)) * n);
  const auto shares = read_shares(options);
  if (shares[3] * n < 1) return 0;
  const double before = shares[0] + shares[1] + shares[2], all = before + shares[3];
  return (std::abs(all - 1) <= 1e-9 ? rows : std::min<Index>(std::llround(all * n), rows)) - std::llround(before * n);
}

}  // namespace taut
