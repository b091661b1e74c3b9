#include <taut/export/onnx_beyond_training.hpp>

#include <taut/export/onnx_members.hpp>

#include <limits>
#include <numeric>

namespace taut {

namespace {

class OnnxGrowth : private OnnxMaths {
 public:
  OnnxGrowth(const std::string& x, OnnxMaths& maths) : OnnxMaths(maths.graph()), x_(x) {}

  std::string beyond_ranges(const BeyondTraining& ranges) {
    const std::string beyond = outside(ranges.inputs(), row(ranges.low()), row(ranges.high()));
    const auto largest_first = OnnxGraph::attribute("largest", std::int64_t{1});
    return graph_.node("TopK", {op("Mul", beyond, row(ranges.slope())), graph_.integers({1})}, {largest_first}, 2).front();
  }

  // A tree whose leaves are the low ends of a box, then the high ones.
  std::string beyond_boxes(const TrainingBoxes& boxes) {
    const std::int64_t inputs = std::ssize(boxes.inputs());
    OnnxTrees tree(2 * inputs);
    for (std::size_t k = 0; k < boxes.feature().size(); ++k) {
      const auto id = static_cast<std::int64_t>(k);
      const std::int32_t feature = boxes.feature()[k], next = boxes.next()[k];
      if (feature >= 0) {
        tree.node(0, id, "BRANCH_LT", boxes.inputs()[static_cast<std::size_t>(feature)],
                  static_cast<double>(boxes.threshold()[k]), next, next + 1, /*missing_left=*/false);
        continue;
      }
      tree.leaf(0, id);
      for (std::int64_t i = 0; i < inputs; ++i) {
        tree.weight(0, id, i, static_cast<double>(boxes.low()(next, i)));
        tree.weight(0, id, inputs + i, static_cast<double>(boxes.high()(next, i)));
      }
    }
    const std::string ends = tree.add_to(graph_, x_);
    std::vector<std::int64_t> low(static_cast<std::size_t>(inputs)), high = low;
    std::iota(low.begin(), low.end(), 0);
    std::iota(high.begin(), high.end(), inputs);
    const std::string distances = outside(boxes.inputs(), graph_.columns(ends, low), graph_.columns(ends, high));
    return op("Max", plus(product(distances, boxes.slope(), 1), -boxes.usual()), graph_.constant(0));
  }

 private:
  // How far the inputs lie outside; 0 for missing cells.
  std::string outside(const std::vector<std::int64_t>& inputs, const std::string& low, const std::string& high) {
    constexpr double largest = std::numeric_limits<float>::max();
    const std::string cells = graph_.columns(x_, inputs);
    const std::string known = held(where(graph_.node("IsNaN", {cells}), low, cells), -largest, largest);
    return op("Max", op("Max", op("Sub", low, known), op("Sub", known, high)), graph_.constant(0));
  }

  std::string x_;
};

}  // namespace

std::string onnx_growth(const BeyondTraining& beyond, const std::string& x, OnnxMaths& maths) {
  OnnxGrowth nodes(x, maths);
  std::string growth = nodes.beyond_ranges(beyond);
  if (!beyond.boxes().empty()) growth = maths.op("Max", growth, nodes.beyond_boxes(beyond.boxes()));
  return maths.op("Min", growth, maths.graph().constant(beyond.max_growth()));
}

}  // namespace taut
