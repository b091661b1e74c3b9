// From rows to probabilities and sets.
#include <taut/calibrate/rank.hpp>
#include <taut/classes/class_parts.hpp>
#include <taut/classes/class_rows.hpp>
#include <taut/classes/softmax.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/population.hpp>
#include <taut/model/row_hash.hpp>
#include <taut/model/row_uniforms.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

Matrix ClassParts::probabilities(const TableView& table, const TableView& x, RowsView rows, int threads) const {
  const double beta = class_record.inverse_temperature;
  Matrix p = given.empty() ? predictor.logits(x, rows, threads) : probabilities_of(table, given, rows);
  if (!given.empty() && mended.empty() && beta == 1) return p;  // as they are, to the last bit
  if (!given.empty()) p = mended.at(x, rows, p.array().log().matrix(), threads);
  const auto labels = static_cast<std::size_t>(p.cols());
  parallel_blocks(p.rows(), 1 << 12, threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) softmax({p.row(row).data(), labels}, beta, {p.row(row).data(), labels});
  });
  return p;
}

SeenSets ClassParts::see(const TableView& table, Rows rows, int threads) const {
  SeenSets seen{inputs_of(table), std::move(rows), {}, {}};
  seen.p = probabilities(table, seen.x, seen.rows, threads);
  seen.g = shift.at({seen.x, seen.rows, seen.p}, threads);
  return seen;
}

void ClassParts::scores(std::span<const double> p, double g, double uniform, std::span<double> out) const {
  score->scores(p, uniform, out);
  if (shift.empty()) return;
  const double top = score->top(classes());
  for (double& one : out) one = log_odds(one, top) - g;
}

double ClassParts::draw(Draws which, std::uint64_t row) const {
  if (!score->draws()) return 0;
  return Random(static_cast<std::uint64_t>(options.seed)).fork(static_cast<std::uint64_t>(which)).fork(row).uniform();
}

std::vector<std::uint64_t> ClassParts::keys_of(const SeenSets& seen, int threads) const {
  if (!secret) return {};
  std::vector<std::uint64_t> keys = input_hashes(seen.x, given.empty() ? Matrix() : seen.p, seen.rows, threads);
  for (std::uint64_t& key : keys) key = mixed(key ^ *secret);
  return keys;
}

Matrix ClassParts::outputs(const SeenSets& seen) const {
  Matrix made(seen.p.rows(), n_outputs());
  for (Index row = 0; row < made.rows(); ++row) {
    made(row, 0) = seen.p.row(row).maxCoeff();
    if (!shift.empty()) made(row, 1) = seen.g[static_cast<std::size_t>(row)];
  }
  return made;
}

Index PredictedSets::size(Index row, std::size_t level) const {
  Index count = 0;
  for (const auto in : set(row, level)) count += in;
  return count;
}

Matrix ClassModel::probabilities(const TableView& table, const ExecutionContext& context) const {
  return parts_->probabilities(table, parts_->inputs_of(table), all_rows(table), context.threads);
}

namespace {

// Where the sets of a row end, for each level and label.
class CutOffsOfSets {
 public:
  CutOffsOfSets(const ClassParts& parts, LawsOfRows laws, std::span<const double> levels)
      : levels_(levels), laws_(std::move(laws)) {
    if (parts.by_label)
      for (Index label = 0; label < parts.classes(); ++label) of_labels_.push_back(parts.law_of_label(label));
    if (parts.by_label || laws_.shared() == nullptr) labels_ = parts.by_label ? parts.classes() : 1;
    if (parts.by_label)
      for (const double level : levels)
        for (const Law& law : of_labels_) fixed_.push_back(law.quantile(level));
    else if (laws_.shared() != nullptr)
      for (const double level : levels) fixed_.push_back(laws_.shared()->quantile(level));
  }

  // levels x labels, or levels alone where all labels have the same.
  Index labels() const { return labels_; }
  void of_row(Index row, std::span<double> out) const {
    if (!fixed_.empty()) {
      std::copy(fixed_.begin(), fixed_.end(), out.begin());
      return;
    }
    const Law own = laws_[row];
    for (std::size_t level = 0; level < levels_.size(); ++level) out[level] = own.quantile(levels_[level]);
  }

  // The sets of all levels, each label judged by itself: labels whose scores equal calibration scores take a random place among
  // them, without which ties would add to the coverage.
  void smoothed_sets(Index row, double uniform, std::span<const double> scores, std::uint8_t* out) const {
    std::optional<Law> own;
    if (of_labels_.empty()) own = laws_[row];
    for (const double level : levels_)
      for (std::size_t label = 0; label < scores.size(); ++label) {
        const Law& law = own ? *own : of_labels_[label];
        if (law.has_ranks()) {
          *out++ = law.holds_smoothed(scores[label], level, uniform) ? 1 : 0;
        } else {
          const auto q = law.smoothed_quantile(level, uniform);
          *out++ = q && scores[label] <= *q ? 1 : 0;
        }
      }
  }

 private:
  std::span<const double> levels_;
  LawsOfRows laws_;
  std::vector<Law> of_labels_;
  std::vector<double> fixed_;
  Index labels_ = 1;
};

}  // namespace

PredictedSets ClassModel::predict_sets(const TableView& given, std::span<const double> levels, const ExecutionContext& context,
                                       const SetAskOptions& asked) const {
  for (const double level : levels) check_confidence(level);
  const ClassParts& parts = *parts_;
  SeenSets seen = parts.see(given, all_rows(given), context.threads);
  const auto labels = static_cast<std::size_t>(parts.classes());
  PredictedSets result;
  result.levels.assign(levels.begin(), levels.end());
  result.prediction.resize(seen.rows.size());
  result.members.resize(seen.rows.size() * levels.size() * labels);
  const CutOffsOfSets cut_offs(parts, parts.laws_of(given, seen, context.threads, &result.unseen), levels);
  std::vector<std::uint64_t> keys;
  if (asked.smoothing || parts.score->draws()) keys = parts.keys_of(seen, context.threads);
  const RowUniforms uniforms(asked.smoothing, keys, asked.first_row);
  parallel_blocks(given.rows(), 1 << 10, context.threads, [&](Index begin, Index end) {
    std::vector<double> scores(labels);
    std::vector<double> ends(levels.size() * static_cast<std::size_t>(cut_offs.labels()));
    for (Index row = begin; row < end; ++row) {
      const std::span<const double> p(seen.p.row(row).data(), labels);
      result.prediction[static_cast<std::size_t>(row)] = std::max_element(p.begin(), p.end()) - p.begin();
      const auto number = static_cast<std::uint64_t>(asked.first_row + row);
      parts.scores(p, seen.g[static_cast<std::size_t>(row)],
                   parts.draw(ClassParts::Draws::prediction, keys.empty() ? number : keys[static_cast<std::size_t>(row)]),
                   scores);
      std::uint8_t* const members = result.members.data() + static_cast<std::size_t>(row) * levels.size() * labels;
      if (asked.smoothing) {
        // One random number for all levels of a row keeps smoothed sets nested.
        cut_offs.smoothed_sets(row, uniforms[row], scores, members);
        continue;
      }
      cut_offs.of_row(row, ends);
      for (std::size_t level = 0; level < levels.size(); ++level)
        for (std::size_t k = 0; k < labels; ++k) {
          const double q = cut_offs.labels() == 1 ? ends[level] : ends[level * labels + k];
          members[level * labels + k] = scores[k] <= q ? 1 : 0;
        }
    }
  });
  result.probabilities = std::move(seen.p);
  return result;
}

std::vector<Alarm> ClassModel::alarms_of_groups(const UnseenGroups& found, const Mismatches& mismatches) const {
  if (found.rows == 0) return {};
  UnseenGroups unseen = found;
  const auto further = parts_->reader.columns_to_predict();
  for (const ColumnMismatches& column : mismatches)
    if (column.is_categorical && find_column(further, column.column) && !column.texts.empty() && unseen.names.size() == 1)
      unseen.names = column.texts;
  constexpr std::size_t most = 5;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(most, unseen.names.size()); ++i) quoted.push_back("'" + unseen.names[i] + "'");
  return {{AlarmKind::unseen_groups,
           counted(unseen.rows, "row") + (unseen.rows == 1 ? " is" : " are") + " of groups (" + groups_in_words() +
               ") without calibration rows: " + join(quoted, ", ") + (unseen.names.size() > most ? ", ..." : "") +
               (parts_->reader.settings().pool_others ? "; they get what holds on average over all groups (--other-groups pool)"
                                                      : "; their sets hold every label: calibrate with rows of these groups"),
           "",
           unseen.names,
           {{"rows", static_cast<double>(unseen.rows)}}}};
}

DriftCheck ClassModel::begin_drift_check() const {
  if (parts_->calibration_inputs.rows() > 0)
    return drift_check(parts_->reader, parts_->calibration_inputs, parts_->population, parts_->schema);
  throw Error("the model has no calibration rows to compare with; calibrate it");
}

void ClassModel::add_rows(DriftCheck& check, const TableView& table, const ExecutionContext& context) const {
  const SeenSets seen = parts_->see(table, all_rows(table), context.threads);
  const Matrix made = parts_->outputs(seen);
  add_to_check(check, parts_->reader, parts_->grouped(table, seen, made), context.threads);
}

}  // namespace taut
