// Learns the dependence of targets and the region from rows that select the model.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/task/several/several_task.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace taut {

namespace {

constexpr Index min_rows_of_region = 60;  // that select the model and have all targets

}  // namespace

Matrix scaled_predictions(const std::vector<std::unique_ptr<NumberRows>>& rows, const JointTargets& joint) {
  Matrix result(std::ssize(rows.front()->rows), joint.count());
  for (Index j = 0; j < joint.count(); ++j) {
    const auto& f = rows[static_cast<std::size_t>(j)]->predicted.f();
    for (Index i = 0; i < result.rows(); ++i)
      result(i, j) = f[static_cast<std::size_t>(i)] / joint.spreads[static_cast<std::size_t>(j)];
  }
  return result;
}

namespace {

// The rows of one target at these places.
std::unique_ptr<NumberRows> rows_at(const NumberTask& task, const NumberRows& all, const Rows& places) {
  Rows rows;
  std::vector<double> f;
  Matrix g(std::ssize(places), all.g.cols());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto at = static_cast<std::size_t>(places[i]);
    rows.push_back(all.rows[at]);
    f.push_back(all.predicted.f()[at]);
    g.row(static_cast<Index>(i)) = all.g.row(places[i]);
  }
  RowPredictions predicted(std::move(f));
  if (all.predicted.has_ends()) {
    std::vector<double> lower, upper;
    for (const Index place : places) {
      lower.push_back(all.predicted[static_cast<std::size_t>(place)].lower);
      upper.push_back(all.predicted[static_cast<std::size_t>(place)].upper);
    }
    predicted = RowPredictions(std::move(lower), std::move(upper));
  }
  return std::make_unique<NumberRows>(task, TableView("", 0), std::move(rows), std::move(predicted), std::move(g));
}

// The places of rows that are in all of these lists, for each list. Rows may be in any order.
std::vector<Rows> places_of_common(const std::vector<OutOfFoldTarget>& targets) {
  std::vector<Rows> places(targets.size());
  std::vector<std::unordered_map<Index, Index>> place_of(targets.size());
  for (std::size_t j = 1; j < targets.size(); ++j)
    for (Index i = 0; i < std::ssize(targets[j].rows->rows); ++i)
      place_of[j].emplace(targets[j].rows->rows[static_cast<std::size_t>(i)], i);
  const Rows& first = targets.front().rows->rows;
  for (Index i = 0; i < std::ssize(first); ++i) {
    const Index row = first[static_cast<std::size_t>(i)];
    bool is_whole = true;
    for (std::size_t j = 1; j < targets.size(); ++j) is_whole = is_whole && place_of[j].contains(row);
    if (!is_whole) continue;
    places[0].push_back(i);
    for (std::size_t j = 1; j < targets.size(); ++j) places[j].push_back(place_of[j].at(row));
  }
  return places;
}

}  // namespace

// The region is learnt from rows that have all targets, with f and g of each target from members that were not trained on them.
void SeveralTask::fit_joint(const FitRequest& request, const TableView& x, std::vector<OutOfFoldTarget> targets) {
  const Traced traced("region");
  const Index d = joint.count();
  region_name = d == 1 && options.region == "auto" ? "box" : options.region;
  if (region_name == "box") {
    region = joint_regions().make(region_name);
    return;
  }
  const auto places = places_of_common(targets);
  const Index n = std::ssize(places.front());
  if (n < min_rows_of_region && options.region != "auto")
    throw Error(
        format_text("{}: --region {} is learnt from rows that have all targets and select the model, and there are {}: at "
                    "least {} are needed; --region box needs none",
                    request.table.source(), options.region, print_count(n), min_rows_of_region));
  if (n < min_rows_of_region) {
    region_name = "box";
    region = joint_regions().make(region_name);
    return;
  }
  std::vector<std::unique_ptr<NumberRows>> rows;
  Matrix y(n, d), normal(n, d);
  for (Index j = 0; j < d; ++j) {
    const auto at = static_cast<std::size_t>(j);
    rows.push_back(rows_at(*of_target[at], *targets[at].rows, places[at]));
    const auto own = pick(targets[at].y, places[at]);
    for (Index i = 0; i < n; ++i) {
      y(i, j) = own[static_cast<std::size_t>(i)];
      normal(i, j) = std::clamp(normal_score(joint.scales[at](rows.back()->score(i, row_target(own, i, 1), 0))), -6.0, 6.0);
    }
  }
  Matrix out_of_fold;
  const Rows which = rows.front()->rows;
  const Matrix predictions = scaled_predictions(rows, joint);
  dependence = Dependence::fit(normal, x, which, predictions, static_cast<std::uint64_t>(request.options.seed), request.context,
                               out_of_fold);
  constexpr double nearly_collinear = 0.995;
  if (std::abs(dependence.largest_correlation()) > nearly_collinear)
    request.context.tell(
        format_text("two targets are nearly the same function of each other (the correlation of their scores is {}): "
                    "their correlation is shrunk a little, so that regions keep a volume",
                    print_rounded(dependence.largest_correlation(), 5)));
  const SeveralRows all(*this, x, which, std::move(rows), std::move(out_of_fold));
  std::vector<JointRow> joint_rows;
  for (Index i = 0; i < n; ++i) joint_rows.push_back(all.at(i));
  const JointTraining training{joint, joint_rows, y};
  if (region_name == "auto") {
    const Encoder encoder(Encoding::raw, x, which);
    trials = try_regions(training, encoder.encode(x, which, request.context.threads), request.context,
                         static_cast<std::uint64_t>(request.options.seed));
    region_name = best_region(trials);
  }
  region = joint_regions().make(region_name);
  region->fit(training);
}

}  // namespace taut
