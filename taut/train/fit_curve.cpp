// Trains the quantile curve on residuals divided by a trained scale, and compares it with the scale alone on validation rows.
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/train/residual_curve.hpp>
#include <taut/train/validation.hpp>
#include <taut/transform/curve.hpp>
#include <taut/trees/quantile_boosting.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index max_curve_rows = 50'000;  // more rows would hardly change the quantiles of a leaf

// Evenly spaced rows, and the parts as positions among them.
struct CurveSample {
  Rows rows;
  std::vector<TrainingPart> parts;

  CurveSample(Index count, const std::vector<TrainingPart>& all) {
    const Index kept = std::min(count, max_curve_rows);
    std::vector<Index> before(static_cast<std::size_t>(count) + 1);  // by row: the number of sampled rows before it
    for (Index row = 0; row < count; ++row) {
      const auto next = static_cast<std::size_t>(row) + 1;
      before[next] = next * static_cast<std::size_t>(kept) / static_cast<std::size_t>(count);
      if (before[next] > before[next - 1]) rows.push_back(row);
    }
    const auto at = [&](Index row) { return before[static_cast<std::size_t>(row)]; };
    for (const TrainingPart& part : all)
      parts.push_back({at(part.rows), at(part.begin), at(part.end), (part.gap * kept + count - 1) / count});
  }
  // The rows that the member of a part scales: its validation rows, or all rows if there is only one part.
  Index rows_scaled_by(std::size_t part) const { return parts.size() == 1 ? std::ssize(rows) : parts[part].validation_rows(); }
  Index first_scaled_by(std::size_t part) const { return parts.size() == 1 ? 0 : parts[part].begin; }
  Rows validation() const {
    Rows all;
    for (const TrainingPart& part : parts)
      for (Index row = part.begin; row < part.end; ++row) all.push_back(row);
    return all;
  }
};

// g of the sampled rows, for each row from the member that was not trained on it (except with a single part).
Matrix held_out_params(const Localization& localization, const Transform& scale, const MatrixF& x, const Residuals& residuals,
                       const CurveSample& sample, int threads) {
  Matrix all(x.rows(), scale.n_params() * localization.sides());
  for (std::size_t p = 0; p < sample.parts.size(); ++p) {
    const Index first = sample.first_scaled_by(p), count = sample.rows_scaled_by(p);
    std::span<const double> half_widths = residuals.half_width;
    if (!half_widths.empty()) half_widths = half_widths.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    all.middleRows(first, count) = localization.centred_params(p, scale, x.middleRows(first, count), half_widths, threads);
  }
  return all;
}

Rows at(const Rows& rows, const Rows& positions) {
  Rows result;
  for (const Index position : positions) result.push_back(rows[static_cast<std::size_t>(position)]);
  return result;
}

double signed_size(const Residuals& residuals, Index row) {
  const auto at = static_cast<std::size_t>(row);
  return residuals.side[at] == Side::below ? -residuals.size[at] : residuals.size[at];
}

// Chosen by out-of-fold interval scores (seed 0, quick trees for f). Depth 4 with 40 rows in a leaf differs by less than 0.2 % on
// star, kin8nm, bike, california, homes and CASP. A depth of 2 or 160 rows in a leaf lose that much on kin8nm and california.
// A high rate on many rows saves half of the time: 0.2 instead of 0.1 costs 0.02 % on california.
QuantileBoosting curve_boosting(Index rows, std::uint64_t seed) {
  QuantileBoosting settings;
  settings.probabilities = all_curve_probabilities();
  settings.depth = rows < 1500 ? 2 : 3;
  settings.min_rows = std::clamp<Index>(rows / 20, 10, 80);
  settings.rate = rows < 5000 ? 0.05 : rows < 20'000 ? 0.1 : 0.2;
  settings.patience = rows < 5000 ? 40 : rows < 20'000 ? 20 : 15;
  settings.seed = seed;
  return settings;
}

// Validation rows of all parts, in their order, with their out-of-fold parameters.
struct ValidationRows {
  Residuals residuals;
  Matrix g;
};

Matrix rows_of(const Matrix& all, const Rows& rows) {
  Matrix own(std::ssize(rows), all.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) own.row(static_cast<Index>(i)) = all.row(rows[i]);
  return own;
}

double score_of(const ValidationRows& rows, const Transform& transform, int sides, const Rows* some = nullptr) {
  if (some == nullptr)
    return log_mean_interval_score(
        {rows.residuals.size, rows.residuals.side, transform, rows.g, sides, false, 1, rows.residuals.weight});
  const Residuals own = pick(rows.residuals, *some);
  const Matrix g = rows_of(rows.g, *some);
  return log_mean_interval_score({own.size, own.side, transform, g, sides, false, 1, own.weight});
}

// Residuals from the centre of the curve instead of f.
ValidationRows rows_of_curve(const Residuals& residuals, const Matrix& params) {
  ValidationRows result{{}, params.leftCols(params.cols() - 1)};
  result.residuals.weight = residuals.weight;
  for (Index row = 0; row < params.rows(); ++row) {
    const double from_centre = signed_size(residuals, row) - params(row, params.cols() - 1);
    result.residuals.size.push_back(std::abs(from_centre));
    result.residuals.side.push_back(from_centre < 0 ? Side::below : Side::above);
  }
  return result;
}

// The standard error of the difference of the two losses, paired over groups of validation rows.
double paired_error(const ValidationRows& curve, const Transform& phi, const ValidationRows& alone, const Transform& scale,
                    int sides) {
  constexpr Index max_groups = 20, min_rows = 20;
  const Index n = curve.residuals.rows(), groups = std::min(max_groups, n / min_rows);
  std::vector<double> a, b;
  for (Index group = 0; group < groups; ++group) {
    Rows rows;
    for (Index i = group; i < n; i += groups) rows.push_back(i);
    a.push_back(score_of(curve, phi, 2, &rows));
    b.push_back(score_of(alone, scale, sides, &rows));
  }
  return standard_error({0, a}, {0, b});
}

struct TrainedCurve {
  std::vector<ResidualCurve::Member> members;
  ValidationRows validation;
  double loss = 0;
  Matrix params = {};  // of the validation rows
};

// Trains a member for each part, and evaluates it on the validation rows of that part.
class CurveTraining {
 public:
  CurveTraining(MatrixF inputs, std::vector<double> weights, const Matrix& log_scales, const std::vector<double>& z,
                const CurveSample& sample, const ValidationRows& alone, std::uint64_t seed, const ExecutionContext& context,
                InputDirections directions)
      : pool_(std::move(inputs), std::move(weights)),
        bins_(pool_.binned(64, context.threads)),
        log_scales_(log_scales),
        z_(z),
        sample_(sample),
        alone_(alone),
        seed_(seed),
        context_(context),
        directions_(std::move(directions)) {}

  // Trees start from the quantiles of all training rows, or from quantile lines.
  TrainedCurve run(bool from_lines) const {
    std::vector<ResidualCurve::Member> members(sample_.parts.size());
    std::vector<Matrix> held_out(sample_.parts.size());
    run_concurrently(std::ssize(held_out), context_, "training the curve", [&](Index which, const ExecutionContext& each) {
      const auto p = static_cast<std::size_t>(which);
      members[p] = member(p, from_lines, held_out[p], each);
    });
    Matrix quantiles(alone_.residuals.rows(), held_out.front().cols());
    Index first = 0;
    for (const Matrix& part : held_out) {
      quantiles.middleRows(first, part.rows()) = part;
      first += part.rows();
    }
    Matrix params = curve_params(std::move(quantiles), rows_of(log_scales_, sample_.validation()));
    TrainedCurve curve{std::move(members), rows_of_curve(alone_.residuals, params), 0};
    curve.loss = score_of(curve.validation, *transforms().make("curve"), 2);
    curve.params = std::move(params);
    return curve;
  }

 private:
  ResidualCurve::Member member(std::size_t part, bool from_lines, Matrix& held_out, const ExecutionContext& context) const {
    const Traced training("train the curve", [&] {
      return format_text("{}fold {} of {}", from_lines ? "from lines, " : "", part + 1, sample_.parts.size());
    });
    const Rows train = sample_.parts[part].train(), validation = sample_.parts[part].validation();
    QuantileBoosting settings = curve_boosting(counted_rows(pool_.weights_of(train), std::ssize(train)), seed_ + part);
    settings.weights = pool_.weights();
    settings.directions = directions_;
    QuantileLines lines;
    QuantileStart start;
    if (from_lines) {
      lines = QuantileLines::fit(pool_.floats(), train, validation, z_, settings.probabilities, pool_.weights(), directions_);
      Matrix added = Matrix::Zero(pool_.rows(), std::ssize(settings.probabilities));
      lines.add_slopes(pool_.floats(), added);
      start = {lines.intercepts(), added.cast<float>()};
    }
    auto boosted = boost_quantiles(*bins_, train, validation, z_, settings, context, from_lines ? &start : nullptr);
    held_out = std::move(boosted.held_out);
    return {std::move(boosted.initial), std::move(lines), std::move(boosted.forest)};
  }

  InputPool pool_;
  std::shared_ptr<const BinnedInputs> bins_;
  const Matrix& log_scales_;
  const std::vector<double>& z_;
  const CurveSample& sample_;
  const ValidationRows& alone_;
  std::uint64_t seed_;
  const ExecutionContext& context_;
  InputDirections directions_;  // of pool_
};

FittedShape fit_curve(const Localization& localization, const Transform& scale, const InputPool& x, const Residuals& residuals,
                      const std::vector<TrainingPart>& parts, std::uint64_t seed, const ExecutionContext& context,
                      InputDirections directions) {
  const Traced traced("curve");
  const CurveSample sample(x.rows(), parts);
  const MatrixF inputs = x.gather(sample.rows);
  const Residuals own = pick(residuals, sample.rows);
  const int sides = localization.sides();
  const Matrix g = held_out_params(localization, scale, inputs, own, sample, context.threads);
  const Matrix log_scales = log_scales_of(scale, g, sides);
  std::vector<double> z;
  for (Index row = 0; row < own.rows(); ++row) {
    const Index side = own.side[static_cast<std::size_t>(row)] == Side::below ? 0 : sides - 1;
    z.push_back(signed_size(own, row) / std::exp(log_scales(row, side)));
  }

  const Rows validation = sample.validation();
  const ValidationRows alone{pick(own, validation), rows_of(g, validation)};
  if (!directions.empty()) directions.resize(directions.size() + static_cast<std::size_t>(log_scales.cols()), Direction::any);
  const CurveTraining training(curve_inputs(inputs, log_scales), own.weight, log_scales, z, sample, alone, seed, context,
                               std::move(directions));
  TrainedCurve curve = training.run(/*from_lines=*/false);
  if (QuantileLines::suit(counted_rows(own.weight, std::ssize(sample.rows)), inputs.cols() + log_scales.cols())) {
    TrainedCurve from_lines = training.run(/*from_lines=*/true);
    if (is_lower_loss(from_lines.loss, curve.loss)) curve = std::move(from_lines);
  }
  return {std::make_shared<ResidualCurve>(std::move(curve.members)),
          curve.loss,
          score_of(alone, scale, sides),
          paired_error(curve.validation, *transforms().make("curve"), alone, scale, sides),
          std::move(curve.params),
          at(sample.rows, validation)};
}

class CurveKind final : public ShapeKind {
 public:
  FittedShape fit(const Localization& localization, const Transform& scale, const InputPool& x, const Residuals& residuals,
                  const std::vector<TrainingPart>& parts, std::uint64_t seed, const ExecutionContext& context,
                  const InputDirections& directions) const override {
    return fit_curve(localization, scale, x, residuals, parts, seed, context, directions);
  }
  std::shared_ptr<const Shape> load(const Archive& archive, Index inputs, Index sides) const override {
    return std::make_shared<ResidualCurve>(ResidualCurve::load(archive, inputs, sides));
  }
};

}  // namespace

Listed<ShapeKind> curve_shape() {
  return {"curve", "quantiles of the scaled residuals", [](std::string_view) { return std::make_unique<CurveKind>(); }};
}

}  // namespace taut
