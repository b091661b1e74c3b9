// Networks and Gaussian processes as ONNX graphs. Their inputs equal the library's bit for bit; sums are in double precision. The
// graph also computes a bound of the difference to the library's single-precision sums.
#include <taut/export/onnx_members.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

class OnnxSmooth {
 public:
  explicit OnnxSmooth(OnnxMaths& maths) : maths_(maths), graph_(maths.graph()) {}

  OnnxSum member(const DescribedFunction& from, const std::string& inputs) {
    const OnnxSum sum = std::holds_alternative<DescribedProcess>(from.body)
                            ? process(std::get<DescribedProcess>(from.body), inputs)
                            : networks(std::get<DescribedNetworks>(from.body), inputs);
    return {maths_.plus(maths_.times(sum.value, from.unit), from.centre), maths_.times(sum.error, from.unit)};
  }

 private:
  std::string op(const char* operation, const std::string& a, const std::string& b) { return maths_.op(operation, a, b); }
  std::string size_of(const std::string& x) { return graph_.node("Abs", {x}); }
  static std::vector<double> doubles(const std::vector<float>& values) { return {values.begin(), values.end()}; }
  // Stored as floats, which halves the size of the file.
  std::string matrix(const std::vector<float>& values, Index rows, Index columns) {
    return graph_.cast(graph_.floats(values, {rows, columns}), OnnxGraph::double_type);
  }

  std::string robust(const DescribedBins& bins, const std::string& x) {
    const std::string s = maths_.held(op("Mul", op("Sub", x, maths_.row(bins.centre)), maths_.row(bins.scale)), -1e9, 1e9);
    const std::string third = op("Div", s, graph_.constant(3));
    return maths_.as_float(op("Div", s, graph_.node("Sqrt", {maths_.plus(op("Mul", third, third), 1)})));
  }

  std::string shares(const DescribedBins& bins, const std::string& z) {
    const std::vector<std::int64_t> which(bins.input.begin(), bins.input.end());
    const std::string past = maths_.as_float(op("Sub", graph_.columns(z, which), maths_.row(doubles(bins.from))));
    return maths_.held(maths_.as_float(op("Mul", past, maths_.row(doubles(bins.factor)))), 0, 1);
  }

  std::string with_shares(const DescribedBins& bins, const std::string& z) {
    return bins.input.empty() ? z : graph_.concat({z, shares(bins, z)});
  }

  // Adds bin after bin, for all inputs at once, because the library adds floats in this order. Inputs with fewer bins add zeros.
  std::string ranked(const DescribedBins& bins, const std::string& z) {
    if (bins.ranked == 0) return z;
    const std::string parts = maths_.as_float(op("Mul", shares(bins, z), maths_.row(doubles(bins.part))));
    const std::string all = graph_.concat({parts, maths_.times(graph_.columns(parts, {0}), 0)});
    const auto zero = std::ssize(bins.input);
    std::vector<std::vector<std::int64_t>> steps;
    for (Index b = 0, step = 0; b < zero; ++b) {
      const auto at = static_cast<std::size_t>(b);
      step = b > 0 && bins.rank[at] == bins.rank[at - 1] ? step + 1 : 0;
      if (step == std::ssize(steps)) steps.emplace_back(static_cast<std::size_t>(bins.ranked), zero);
      steps[static_cast<std::size_t>(step)][static_cast<std::size_t>(bins.rank[at] - std::ssize(bins.centre))] = b;
    }
    std::string sum = maths_.row(std::vector<double>(static_cast<std::size_t>(bins.ranked), -1));
    for (const auto& step : steps) sum = maths_.as_float(op("Add", graph_.columns(all, step), sum));
    return graph_.concat({z, sum});
  }

  // The library rounds the products and sums of each layer and the activations. Derivatives propagate these errors to the output.
  OnnxSum network(const std::vector<DescribedLayer>& layers, const std::string& inputs) {
    std::vector<std::string> weights, lost, slopes, outputs;
    std::string x = inputs;
    for (const DescribedLayer& layer : layers) {
      const auto n = static_cast<std::size_t>(layer.inputs);
      std::vector<double> roundings(n);  // of each product: its own rounding and those of all later partial sums
      for (std::size_t k = 0; k < n; ++k) roundings[k] = float_rounding * static_cast<double>(n - k + 1);
      weights.push_back(matrix(layer.weights, layer.inputs, layer.outputs));
      const std::string bias = matrix(layer.bias, 1, layer.outputs);
      const std::string scaled = op("Mul", size_of(weights.back()), maths_.column(roundings));
      lost.push_back(
          op("Add", op("MatMul", size_of(x), scaled), maths_.times(size_of(bias), float_rounding * static_cast<double>(n))));
      x = op("Add", op("MatMul", x, weights.back()), bias);
      if (lost.size() == layers.size()) break;
      const std::string s = op("Div", x, graph_.node("Sqrt", {maths_.plus(op("Mul", x, x), 1)}));
      slopes.push_back(maths_.plus(maths_.times(op("Mul", s, op("Sub", graph_.constant(2), op("Mul", s, s))), 0.5), 0.5));
      x = op("Mul", x, maths_.plus(maths_.times(s, 0.5), 0.5));
      outputs.push_back(x);
    }
    std::string error = lost.back(), by;
    for (std::size_t l = layers.size() - 1; l-- > 0;) {
      const std::string turned = graph_.node("Transpose", {weights[l + 1]});
      by = by.empty() ? turned : op("MatMul", by, turned);
      const std::string activation = maths_.times(size_of(op("Mul", outputs[l], by)), activation_roundings * float_rounding);
      by = op("Mul", slopes[l], by);
      const std::string both = op("Add", activation, op("Mul", size_of(by), lost[l]));
      error = op("Add", error, maths_.sum(both, layers[l].outputs));
    }
    return {x, maths_.times(error, second_order)};
  }

  OnnxSum networks(const DescribedNetworks& from, const std::string& x) {
    const std::string inputs = with_shares(from.bins, robust(from.bins, x));
    OnnxSum sum;
    for (const auto& layers : from.networks) {
      const OnnxSum one = network(layers, inputs);
      sum = sum.value.empty() ? one : OnnxSum{op("Add", sum.value, one.value), op("Add", sum.error, one.error)};
    }
    const double share = 1 / static_cast<double>(from.networks.size());
    return {maths_.times(sum.value, share), maths_.times(sum.error, share)};
  }

  // d² = |a|² − 2ab + |b|². Cancellation matters little, because the kernel is smooth in d², with a slope of at most 1/6.
  OnnxSum process(const DescribedProcess& from, const std::string& x) {
    const std::string z = ranked(from.bins, robust(from.bins, x));
    const auto width = static_cast<Index>(from.scale.size()), count = static_cast<Index>(from.heights.size());
    const std::string scale = maths_.row(from.scale);
    const std::string own = op("Mul", z, scale), rows = op("Mul", matrix(from.rows, count, width), scale);
    std::vector<double> squares(from.heights.size());
    for (std::size_t i = 0; i < from.rows.size(); ++i) {
      const double one = static_cast<double>(from.rows[i]) * from.scale[i % from.scale.size()];
      squares[i / from.scale.size()] += one * one;
    }
    const std::string products = op("MatMul", own, graph_.node("Transpose", {rows}));
    const std::string square =
        op("Add", op("Sub", maths_.sum(op("Mul", own, own), width), maths_.times(products, 2)), maths_.row(squares));
    const std::string d = graph_.node("Sqrt", {op("Max", square, graph_.constant(0))});
    const std::string bump = op("Mul", maths_.plus(op("Add", d, op("Div", op("Mul", d, d), graph_.constant(3))), 1),
                                graph_.node("Exp", {graph_.node("Neg", {d})}));
    const std::string linear = maths_.plus(op("MatMul", z, maths_.column(from.slopes)), from.level);
    double farthest = *std::max_element(squares.begin(), squares.end());
    for (const double one : from.scale) farthest += 9 * one * one;
    const double cancelled = 1e-15 * static_cast<double>(width + 8) * farthest;
    return {op("Add", linear, op("MatMul", bump, maths_.column(from.heights))),
            graph_.constant(rounding_of(from) + total_height(from) * cancelled / 3)};
  }

  OnnxMaths& maths_;
  OnnxGraph& graph_;
};

}  // namespace

OnnxSum onnx_smooth_sum(const ExportedPart& part, const std::string& inputs, OnnxMaths& maths) {
  OnnxSmooth smooth(maths);
  OnnxSum sum;
  for (const DescribedFunction& member : part.members) {
    const OnnxSum one = smooth.member(member, inputs);
    sum = sum.value.empty() ? one : OnnxSum{maths.op("Add", sum.value, one.value), maths.op("Add", sum.error, one.error)};
  }
  const double share = 1 / static_cast<double>(part.members.size());
  return {maths.times(sum.value, share), maths.plus(maths.times(sum.error, share), 1e-14)};
}

}  // namespace taut
