#include <taut/export/exported.hpp>

#include <taut/core/text.hpp>
#include <taut/predict/additive_terms.hpp>
#include <taut/predict/gp_kernel.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr const char* known_predictors[] = {"boost", "symmetric", "additive", "elastic", "linear", "gp", "network"};

// As nodes: level after level, each of the next asks the next question.
ExportedTrees symmetric_trees_of(const Archive& archive) {
  const auto depth = static_cast<std::size_t>(archive.integer("depth"));
  const auto& features = archive.get<std::vector<std::int32_t>>("features");
  const auto& thresholds = archive.get<std::vector<float>>("thresholds");
  const auto& missing_left = archive.get<std::vector<std::uint8_t>>("missing_left");
  const auto& leaves = archive.get<std::vector<float>>("values");
  const std::size_t count = leaves.size() >> depth;
  ExportedTrees trees;
  for (std::size_t tree = 0; tree < count; ++tree) {
    trees.sizes.push_back(static_cast<std::int32_t>((std::size_t{2} << depth) - 1));
    for (std::size_t level = 0; level < depth; ++level)
      for (std::size_t i = 0; i < std::size_t{1} << level; ++i) {
        const std::size_t at = level * count + tree;
        trees.features.push_back(features[at]);
        trees.missing_left.push_back(missing_left[at]);
        trees.values.push_back(thresholds[at]);
      }
    for (std::size_t leaf = 0; leaf < std::size_t{1} << depth; ++leaf) {
      trees.features.push_back(-1);
      trees.missing_left.push_back(0);
      trees.values.push_back(leaves[(tree << depth) + leaf]);
    }
  }
  return trees;
}

std::vector<ExportedSpline> splines_of(const Archive& archive) {
  const auto& columns = archive.get<std::vector<std::int32_t>>("columns");
  const auto& sizes = archive.get<std::vector<std::int32_t>>("sizes");
  const auto& knots = archive.get<std::vector<double>>("knots");
  const auto& values = archive.get<std::vector<double>>("values");
  std::vector<ExportedSpline> splines;
  std::ptrdiff_t from = 0;
  for (std::size_t t = 0; t < columns.size(); ++t) {
    const auto to = from + sizes[t];
    const std::vector<double> own(knots.begin() + from, knots.begin() + to);
    const NaturalSpline spline(own, {values.begin() + from, values.begin() + to}, archive.get<std::vector<double>>("low")[t],
                               archive.get<std::vector<double>>("high")[t]);
    ExportedSpline one{columns[t], own, {}, spline.low(), spline.high()};
    for (const auto& piece : spline.pieces())
      one.pieces.push_back({piece.from, piece.constant, piece.slope, piece.square, piece.cube});
    splines.push_back(std::move(one));
    from = to;
  }
  return splines;
}

ExportedBins bins_of(const Archive& archive) {
  const Archive robust = archive.scope("robust"), bins = archive.scope("bins");
  ExportedBins result{robust.get<std::vector<double>>("centre"), robust.get<std::vector<double>>("factor"),
                      bins.get<std::vector<std::int32_t>>("column"), bins.get<std::vector<float>>("from"),
                      bins.get<std::vector<float>>("factor")};
  for (std::size_t begin = 0, end = 0; begin < result.input.size(); begin = end, ++result.ranked) {
    while (end < result.input.size() && result.input[end] == result.input[begin]) ++end;
    result.rank.insert(result.rank.end(), end - begin, static_cast<std::int32_t>(std::ssize(result.centre) + result.ranked));
    result.part.insert(result.part.end(), end - begin, 2 / static_cast<float>(end - begin));
  }
  return result;
}

std::vector<ExportedLayer> network_of(const Archive& archive) {
  std::vector<ExportedLayer> layers;
  for (Index l = 0; l < archive.integer("layers"); ++l) {
    const Archive own = archive.scope("layer" + std::to_string(l));
    const auto& weights = own.get<MatrixF>("weights");
    layers.push_back(
        {weights.rows(), weights.cols(), {weights.data(), weights.data() + weights.size()}, own.get<std::vector<float>>("bias")});
  }
  return layers;
}

// As the predictor prepares it.
ExportedProcess process_of(const Archive& archive) {
  const auto& logs = archive.get<std::vector<double>>("logs");
  const auto& rows = archive.get<MatrixF>("rows");
  const auto& alpha = archive.get<std::vector<double>>("weights");
  const GpKernel kernel(Eigen::Map<const Eigen::VectorXd>(logs.data(), std::ssize(logs)));
  const Eigen::RowVectorXd scale = std::sqrt(5.0) * kernel.lengths.cwiseInverse();
  Eigen::VectorXd slopes = Eigen::VectorXd::Zero(rows.cols());
  ExportedProcess process{{rows.data(), rows.data() + rows.size()}, {scale.begin(), scale.end()}, {}, {}};
  for (Index r = 0; r < rows.rows(); ++r) {
    const double own = alpha[static_cast<std::size_t>(r)];
    process.heights.push_back(own * kernel.amplitude * kernel.amplitude);
    slopes += own * kernel.slope * kernel.slope * rows.row(r).cast<double>().transpose();
    process.level += own * kernel.slope * kernel.slope;
  }
  process.slopes.assign(slopes.begin(), slopes.end());
  return process;
}

std::vector<std::int32_t> counting_up(std::size_t count) {
  std::vector<std::int32_t> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

}  // namespace

double ExportedProcess::total_height() const {
  double sum = 0;
  for (const double height : heights) sum += std::abs(height);
  return sum;
}

double ExportedProcess::rounding() const {
  constexpr double largest = 3;  // of |z|
  double size = std::abs(level);
  for (const double slope : slopes) size += largest * std::abs(slope);
  return 1e-15 * (static_cast<double>(heights.size() + slopes.size() + 64) * total_height() +
                  static_cast<double>(slopes.size() + 8) * size);
}

bool can_export_predictor(const std::string& predictor) {
  return std::any_of(std::begin(known_predictors), std::end(known_predictors),
                     [&](const char* known) { return predictor == known; });
}

std::string exported_predictors_in_words() {
  return join(std::vector<std::string>(std::begin(known_predictors), std::end(known_predictors)), ", ");
}

ExportedTrees exported_trees(const Archive& archive, Index outputs) {
  return {archive.get<std::vector<std::int32_t>>("sizes"), archive.get<std::vector<std::int32_t>>("features"),
          archive.get<std::vector<std::uint8_t>>("missing_left"), archive.get<std::vector<float>>("values"), outputs};
}

ExportedMember exported_member(const Archive& archive, const std::string& predictor) {
  ExportedMember member;
  if (predictor == "boost" || predictor == "symmetric") {
    member.centre = archive.number("centre");
    member.trees =
        predictor == "boost" ? exported_trees(archive.scope("trees"), 1) : symmetric_trees_of(archive.scope("symmetric_trees"));
    return member;
  }
  if (predictor == "gp" || predictor == "network") {
    member.centre = archive.number("centre");
    member.unit = archive.number("unit");
    member.bins = bins_of(archive);
    if (predictor == "gp")
      member.process = process_of(archive);
    else
      for (Index n = 0; n < archive.integer("networks"); ++n)
        member.networks.push_back(network_of(archive.scope("network" + std::to_string(n))));
    return member;
  }
  member.centre = archive.number("intercept");
  if (predictor == "additive") {
    member.splines = splines_of(archive);
    return member;
  }
  member.weights = archive.get<std::vector<double>>("weights");
  member.inputs = predictor == "elastic" ? archive.get<std::vector<std::int32_t>>("columns") : counting_up(member.weights.size());
  return member;
}

}  // namespace taut
