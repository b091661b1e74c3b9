#include <taut/calibrate/score_distribution.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/fault.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <iterator>
#include <mutex>

namespace taut {

void check_weights(std::span<const double> weights, std::size_t scores) {
  if (weights.size() != scores) throw UsageError("calibration: there must be one weight for each score");
  if (std::any_of(weights.begin(), weights.end(), [](double weight) { return !(weight >= 0 && std::isfinite(weight)); }))
    throw Error("calibration: a weight must be a finite number that is not negative");
}

namespace {

std::vector<SignedScore> with_sides(const std::vector<double>& scores, const std::vector<Side>& sides) {
  if (!sides.empty() && sides.size() != scores.size()) throw UsageError("calibration: there must be one side for each score");
  std::vector<SignedScore> result;
  for (std::size_t i = 0; i < sides.size(); ++i) result.push_back({sides[i], scores[i]});
  if (fault("wrong-side"))
    for (SignedScore& one : result) one.side = one.side == Side::below ? Side::above : Side::below;
  return result;
}

std::vector<double> checked(std::vector<double> scores) {
  if (std::any_of(scores.begin(), scores.end(), [](double score) { return std::isnan(score); }))
    throw Error("calibration: a conformity score is not a number; look for missing or infinite predictions or targets");
  return scores;
}

}  // namespace

// A cache of ranks by level. Each rank takes a search, and rows in groups need theirs one by one.
class SureRanks {
 public:
  explicit SureRanks(double sure) : sure_(sure) {}
  double sure() const { return sure_; }
  Index rank(Index rows, double confidence, Index together) const {
    check_confidence(confidence);
    const std::lock_guard lock(mutex_);
    for (const Known& one : known_)
      if (one.rows == rows && one.confidence == confidence && one.together == together) return one.rank;
    const Index rank = exact_rank(rows, confidence, sure_of_each(sure_, together));
    if (known_.size() < max_known) known_.push_back({rows, together, rank, confidence});
    return rank;
  }

 private:
  struct Known {
    Index rows, together, rank;
    double confidence;
  };
  static constexpr std::size_t max_known = 64;
  double sure_;
  mutable std::mutex mutex_;
  mutable std::vector<Known> known_;
};

ScoreDistribution::ScoreDistribution() : scores_(std::make_shared<Scores>()) {}

ScoreDistribution::ScoreDistribution(std::vector<double> scores, std::vector<Side> sides, std::vector<double> weights,
                                     double own_weight)
    : scores_(std::make_shared<Scores>(
          Scores{SortedScores<double>(checked(scores), weights),
                 SortedScores<SignedScore>(with_sides(scores, sides), sides.empty() ? std::span<const double>{} : weights)})) {
  *this = with_own_weight(own_weight);
}

ScoreDistribution ScoreDistribution::sorted(std::vector<double> scores, std::vector<SignedScore> in_order_of_t) {
  ScoreDistribution distribution;
  distribution.scores_ = std::make_shared<Scores>(
      Scores{SortedScores<double>::presorted(std::move(scores)), SortedScores<SignedScore>::presorted(std::move(in_order_of_t))});
  return distribution;
}

ScoreDistribution ScoreDistribution::with_own_weight(double own_weight) const {
  if (!(own_weight >= 0 && std::isfinite(own_weight)))
    throw Error("the weight of a row to predict must be a finite number that is not negative, got " + print_number(own_weight));
  ScoreDistribution distribution = *this;
  distribution.own_weight_ = own_weight;
  return distribution;
}

ScoreDistribution ScoreDistribution::with_cut_offs(std::shared_ptr<const CutOffs> cut_offs) const {
  ScoreDistribution distribution = *this;
  distribution.cut_offs_ = std::move(cut_offs);
  return distribution;
}

ScoreDistribution ScoreDistribution::with_sure(double sure) const {
  check_sure(sure);
  if (sure > 0 && !is_plain())
    throw UsageError("--sure needs calibration rows of equal weight: all of them, or those of a group (--by)");
  ScoreDistribution distribution = *this;
  distribution.sure_ = sure > 0 ? std::make_shared<const SureRanks>(sure) : nullptr;
  return distribution;
}

double ScoreDistribution::sure() const { return sure_ ? sure_->sure() : 0; }

void ScoreDistribution::require_ranks() const {
  if (!has_ranks())
    throw Error(
        "with --overlapping a model gives two-sided intervals only; bounds, quantiles, probabilities and samples need another "
        "kind "
        "of calibration, for example --by");
}

double ScoreDistribution::quantile(double confidence) const {
  if (!has_ranks()) {
    check_confidence(confidence);
    return cut_offs_->at(confidence);
  }
  const Index k = is_plain() ? rank(confidence) : both().count_reaching(confidence * total());
  return k > rows() ? infinity : both().at_rank(std::max<Index>(1, k));
}

std::optional<double> ScoreDistribution::smoothed_quantile(double confidence, double uniform) const {
  if (!has_ranks()) {
    check_confidence(confidence);
    return cut_offs_->smoothed(confidence, uniform);
  }
  if (sure_)
    throw UsageError(format_text(
        "--smooth makes coverage exact on average over calibration sets, and the model was calibrated with --sure {}, "
        "which is about each set; leave --smooth out, or calibrate with --sure 0",
        print_rounded(sure(), 6)));
  Index smoothed_rank = 0;
  if (is_plain()) {
    const Index k = rank(confidence);
    const double excess = static_cast<double>(k) - static_cast<double>(rows() + 1) * confidence;
    smoothed_rank = uniform < excess ? k - 1 : k;
  } else {
    check_confidence(confidence);
    const double wanted = confidence * total() - own_weight() * (1 - uniform);
    smoothed_rank = wanted <= 0 ? 0 : both().count_reaching(wanted);
  }
  if (smoothed_rank < 1) return std::nullopt;
  return smoothed_rank > rows() ? infinity : both().at_rank(smoothed_rank);
}

// Whether the smoothed p-value of the score exceeds 1 − confidence.
bool ScoreDistribution::holds_smoothed(double score, double confidence, double uniform) const {
  check_confidence(confidence);
  const auto [beyond, equal, own, all] = weights_above(score);
  return all - beyond - uniform * (equal + own) < confidence * all;
}

void ScoreDistribution::require_sides() const {
  require_ranks();
  if (!has_sides())
    throw Error(
        "the model file was written before Taut had bounds, quantiles and probabilities: it does not record on which side of its "
        "prediction each calibration row lies; calibrate it again, for example with 'taut calibrate'");
}

std::optional<SignedScore> ScoreDistribution::upper(double confidence, Index together) const {
  require_sides();
  const Index k = is_plain() ? rank(confidence, together) : by_t().count_reaching(confidence * total());
  if (k > rows()) return std::nullopt;
  if (fault("upper-bound-above")) return by_t().at_rank(std::min(rows(), k + 1));
  if (fault("upper-bound-below")) return by_t().at_rank(std::max<Index>(1, k - 1));
  return by_t().at_rank(std::max<Index>(1, k));
}

std::optional<SignedScore> ScoreDistribution::lower(double confidence, Index together) const {
  require_sides();
  if (is_plain()) {
    const Index k = rank(confidence, together);
    if (k > rows()) return std::nullopt;
    if (fault("lower-bound-above")) return by_t().at_rank(std::min(rows(), rows() + 2 - k));
    if (fault("lower-bound-below")) return by_t().at_rank(std::max<Index>(1, rows() - k));
    return by_t().at_rank(rows() + 1 - k);
  }
  check_confidence(confidence);
  // `spare` is the weight that may lie below the bound. The bound is the first score that would exceed it.
  const double spare = by_t().weight() - confidence * total();
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(rows() + 4) * total();
  if (spare < -rounding) return std::nullopt;
  Index left_out = 0, high = rows() - 1;  // the largest count whose weight is at most `spare`
  while (left_out < high) {
    const Index middle = left_out + (high - left_out + 1) / 2;
    if (by_t().weight_of_first(middle) <= spare + rounding)
      left_out = middle;
    else
      high = middle - 1;
  }
  return by_t().at_rank(left_out + 1);
}

ScoreDistribution::Weights ScoreDistribution::weights_above(double score) const {
  require_ranks();
  const double up_to = both().weight_up_to(score);
  return {both().weight() - up_to, up_to - both().weight_below(score), own_weight(), total()};
}

ScoreDistribution::Weights ScoreDistribution::weights_below(const SignedScore& t) const {
  require_sides();
  const double below = by_t().weight_below(t);
  return {below, by_t().weight_up_to(t) - below, own_weight(), total()};
}

Index ScoreDistribution::rank(double confidence, Index together) const {
  return sure_ ? sure_->rank(rows(), confidence, together) : exact_rank(rows(), confidence);
}

Index ScoreDistribution::last_rank(double confidence) const {
  const Index k = rank(confidence);
  return k > rows() ? k : both().count_up_to(both().at_rank(k));
}

double ScoreDistribution::delivered(double confidence) const {
  if (!has_ranks()) return cut_offs_->at(confidence) == infinity ? 1 : confidence;
  if (is_plain()) return static_cast<double>(rank(confidence)) / static_cast<double>(rows() + 1);
  const Index k = both().count_reaching(confidence * total());
  return k > rows() ? 1 : both().weight_of_first(std::max<Index>(1, k)) / total();
}

void ScoreDistribution::save(Archive archive) const {
  archive.put("scores", both().values());
  if (!has_sides() || rows() == 0) return;
  // In the order of t the rows below f come first, by descending score.
  const auto below =
      std::count_if(by_t().values().begin(), by_t().values().end(), [](const SignedScore& t) { return t.side == Side::below; });
  std::vector<double> scores_below, scores_above, together;
  for (Index k = below; k >= 1; --k) scores_below.push_back(by_t().at_rank(k).score);
  for (Index k = below + 1; k <= rows(); ++k) scores_above.push_back(by_t().at_rank(k).score);
  archive.put("scores_below", scores_below);
  // Calibration by counting keeps order statistics of the scores and of t, which need not belong to the same rows.
  std::merge(scores_below.begin(), scores_below.end(), scores_above.begin(), scores_above.end(), std::back_inserter(together));
  if (together != both().values()) archive.put("scores_above", scores_above);
}

ScoreDistribution ScoreDistribution::load(const Archive& archive) {
  const auto require = [](bool holds) {
    if (!holds) throw Error("the model file's calibration scores are not in order: it is damaged");
  };
  const auto in_order = [&](const std::vector<double>& scores) {
    require(std::none_of(scores.begin(), scores.end(), [](double score) { return std::isnan(score); }));
    require(std::is_sorted(scores.begin(), scores.end()));
  };
  const auto& scores = archive.get<std::vector<double>>("scores");
  in_order(scores);
  if (!archive.has("scores_below")) return ScoreDistribution(scores);
  const auto& below = archive.get<std::vector<double>>("scores_below");
  in_order(below);
  if (archive.has("scores_above")) {
    const auto& above = archive.get<std::vector<double>>("scores_above");
    in_order(above);
    require(below.size() + above.size() == scores.size());
    std::vector<SignedScore> by_t;
    for (auto score = below.rbegin(); score != below.rend(); ++score) by_t.push_back({Side::below, *score});
    for (const double score : above) by_t.push_back({Side::above, score});
    return sorted(scores, std::move(by_t));
  }
  // Both lists are sorted, so a score lies below f if it is the next entry of `below`.
  std::vector<Side> sides;
  std::size_t next = 0;
  for (const double score : scores) {
    const bool is_below = next < below.size() && below[next] == score;
    sides.push_back(is_below ? Side::below : Side::above);
    next += is_below ? 1 : 0;
  }
  require(next == below.size());
  return ScoreDistribution(scores, sides);
}

}  // namespace taut
