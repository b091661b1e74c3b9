#include <taut/fit/training_boxes.hpp>

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace taut {

namespace {

constexpr Index min_group = 8, max_rows = 4096, max_inputs = 16;
constexpr Index tried_inputs = 8;  // for each cut: those in which the group is widest
// Of held-out training rows this share is at most as far away as is usual.
constexpr double usual_share = 0.99;
constexpr float largest_float = std::numeric_limits<float>::max();

// The smallest and the largest known number of each input in some rows.
struct Box {
  std::vector<float> low, high;

  explicit Box(std::size_t inputs) : low(inputs, largest_float), high(inputs, -largest_float) {}
  void add(const float* x, const std::vector<std::int64_t>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const float cell = x[inputs[i]];  // NaN changes nothing
      if (cell < low[i]) low[i] = cell;
      if (cell > high[i]) high[i] = cell;
    }
  }
  double width(std::size_t input, double slope) const {
    return high[input] < low[input] ? 0 : slope * (static_cast<double>(high[input]) - static_cast<double>(low[input]));
  }
  double size(const std::vector<double>& slope) const {
    double sum = 0;
    for (std::size_t i = 0; i < slope.size(); ++i) sum += width(i, slope[i]);
    return sum;
  }
};

struct Cut {
  std::int32_t feature = -1;
  float threshold = 0;
};

// Finds the cut of a group after which the boxes of the mean row have the smallest size.
class CutSearch {
 public:
  CutSearch(const MatrixF& x, const std::vector<std::int64_t>& inputs, const std::vector<double>& slope)
      : x_(x), inputs_(inputs), slope_(slope) {}

  Cut best(const Rows& group) {
    best_ = {};
    if (std::ssize(group) < 2 * min_group) return best_;
    Box box(inputs_.size());
    for (const Index row : group) box.add(x_.row(row).data(), inputs_);
    best_size_ = box.size(slope_);
    std::vector<std::size_t> widest(inputs_.size());
    std::iota(widest.begin(), widest.end(), std::size_t{0});
    std::stable_sort(widest.begin(), widest.end(),
                     [&](std::size_t a, std::size_t b) { return box.width(a, slope_[a]) > box.width(b, slope_[b]); });
    widest.resize(std::min(widest.size(), static_cast<std::size_t>(tried_inputs)));
    for (const std::size_t input : widest)
      if (box.width(input, slope_[input]) > 0) search(input, group);
    return best_;
  }

 private:
  // A missing cell is never below a threshold.
  float key(Index row, std::size_t input) const {
    const float cell = x_(row, inputs_[input]);
    return std::isnan(cell) ? largest_float : cell;
  }

  void search(std::size_t input, const Rows& group) {
    std::vector<std::pair<float, Index>> sorted;
    for (const Index row : group) sorted.emplace_back(key(row, input), row);
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    std::vector<double> left = sizes(sorted.begin(), sorted.end()), right = sizes(sorted.rbegin(), sorted.rend());
    for (std::size_t cut = min_group; cut + min_group <= n; ++cut) {  // rows on the left
      const float below = sorted[cut - 1].first, above = sorted[cut].first;
      if (!(below < above)) continue;
      const double share = static_cast<double>(cut) / static_cast<double>(n);
      const double size = share * left[cut - 1] + (1 - share) * right[n - cut - 1];
      if (!(size < best_size_)) continue;
      const float middle = below / 2 + above / 2;
      best_size_ = size;
      best_ = {static_cast<std::int32_t>(input), middle > below && middle < above ? middle : above};
    }
  }

  // Of the boxes of the first row, the first two, and so on.
  template <class Sorted>
  std::vector<double> sizes(Sorted first, Sorted last) const {
    Box box(inputs_.size());
    std::vector<double> result;
    for (; first != last; ++first) {
      box.add(x_.row(first->second).data(), inputs_);
      result.push_back(box.size(slope_));
    }
    return result;
  }

  const MatrixF& x_;
  const std::vector<std::int64_t>& inputs_;
  const std::vector<double>& slope_;
  Cut best_;
  double best_size_ = 0;
};

// The inputs in which y changes most over a typical distance of two rows.
std::vector<std::size_t> by_importance(const MatrixF& x, const Rows& rows, const std::vector<std::int64_t>& inputs,
                                       const std::vector<double>& slope) {
  std::vector<double> change(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    double n = 0, sum = 0, squares = 0;
    for (const Index row : rows)
      if (const double cell = x(row, inputs[i]); !std::isnan(cell)) {
        n += 1;
        sum += cell;
        squares += cell * cell;
      }
    change[i] = n > 0 ? slope[i] * std::sqrt(std::max(0.0, squares / n - (sum / n) * (sum / n))) : 0;
  }
  std::vector<std::size_t> order(inputs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return change[a] > change[b]; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(max_inputs)));
  return order;
}

double usual_distance(std::vector<double> distances) {
  const auto place = static_cast<std::size_t>(std::ceil(usual_share * static_cast<double>(distances.size()))) - 1;
  std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(place), distances.end());
  return distances[place];
}

}  // namespace

TrainingBoxes::TrainingBoxes(const MatrixF& x, const Rows& rows, const std::vector<std::int64_t>& inputs,
                             const std::vector<double>& slope) {
  Rows sample;
  for (const Index place : draw(std::ssize(rows), max_rows, Random(0))) sample.push_back(rows[static_cast<std::size_t>(place)]);
  if (inputs.empty() || std::ssize(sample) < 4 * min_group) return;
  for (const std::size_t i : by_importance(x, sample, inputs, slope)) {
    inputs_.push_back(inputs[i]);
    slope_.push_back(slope[i]);
  }
  // How far new rows usually are: half of the rows, outside the boxes of the other half.
  Rows half, held_out;
  const Rows order = Random(0).fork(1).permutation(std::ssize(sample));
  for (std::size_t i = 0; i < order.size(); ++i)
    (i < order.size() / 2 ? half : held_out).push_back(sample[static_cast<std::size_t>(order[i])]);
  TrainingBoxes of_half = *this;
  of_half.grow(x, half);
  of_half.enclose(x, half);
  std::vector<double> distances;
  for (const Index row : held_out) distances.push_back(of_half.distance(x.row(row).data()).size);
  usual_ = usual_distance(std::move(distances));
  grow(x, sample);
  enclose(x, rows);
}

void TrainingBoxes::grow(const MatrixF& x, const Rows& rows) {
  CutSearch search(x, inputs_, slope_);
  std::vector<Rows> groups = {rows};  // of the nodes, in their order
  for (std::size_t node = 0; node < groups.size(); ++node) {
    const Rows group = std::exchange(groups[node], {});
    const Cut cut = search.best(group);
    feature_.push_back(cut.feature);
    threshold_.push_back(cut.threshold);
    if (cut.feature < 0) continue;
    Rows left, right;
    const Index input = inputs_[static_cast<std::size_t>(cut.feature)];
    for (const Index row : group) (x(row, input) < cut.threshold ? left : right).push_back(row);
    groups.push_back(std::move(left));
    groups.push_back(std::move(right));
  }
  number_nodes();
}

void TrainingBoxes::number_nodes() {
  std::int32_t child = 1, leaf = 0;
  next_.clear();
  for (const std::int32_t feature : feature_) {
    next_.push_back(feature < 0 ? leaf++ : child);
    if (feature >= 0) child += 2;
  }
}

void TrainingBoxes::enclose(const MatrixF& x, const Rows& rows) {
  const Index boxes = (std::ssize(feature_) + 1) / 2;
  std::vector<Box> all(static_cast<std::size_t>(boxes), Box(inputs_.size()));
  for (const Index row : rows) all[static_cast<std::size_t>(box_of(x.row(row).data()))].add(x.row(row).data(), inputs_);
  low_.resize(boxes, std::ssize(inputs_));
  high_.resize(boxes, std::ssize(inputs_));
  for (Index box = 0; box < boxes; ++box)
    for (Index i = 0; i < std::ssize(inputs_); ++i) {
      const Box& own = all[static_cast<std::size_t>(box)];
      const float low = own.low[static_cast<std::size_t>(i)], high = own.high[static_cast<std::size_t>(i)];
      const bool is_known = low <= high;  // else no number is outside
      low_(box, i) = is_known ? low : -largest_float;
      high_(box, i) = is_known ? high : largest_float;
    }
}

Index TrainingBoxes::box_of(const float* x) const {
  std::size_t node = 0;
  while (feature_[node] >= 0) {
    const float cell = x[inputs_[static_cast<std::size_t>(feature_[node])]];
    node = static_cast<std::size_t>(next_[node]) + (cell < threshold_[node] ? 0 : 1);
  }
  return next_[node];
}

TrainingBoxes::Distance TrainingBoxes::distance(const float* x) const {
  const Index box = box_of(x);
  Distance result{0, 0};
  double largest = 0;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const double cell = x[inputs_[i]], low = low_(box, static_cast<Index>(i)), high = high_(box, static_cast<Index>(i));
    const double outside = cell < low ? low - cell : cell > high ? cell - high : 0;  // 0 for a missing cell
    const double share = slope_[i] * outside;
    result.size += share;
    if (share > largest) {
      largest = share;
      result.input = inputs_[i];
    }
  }
  return result;
}

TrainingBoxes::Distance TrainingBoxes::of(const float* x) const {
  if (empty()) return {0, 0};
  Distance result = distance(x);
  result.size = std::max(0.0, result.size - usual_);
  return result;
}

void TrainingBoxes::save(Archive archive) const {
  archive.put("inputs", inputs_);
  archive.put("slope", slope_);
  archive.put("feature", feature_);
  archive.put("threshold", threshold_);
  archive.put("low", low_);
  archive.put("high", high_);
  archive.put("usual", usual_);
}

TrainingBoxes TrainingBoxes::load(const Archive& archive, Index inputs) {
  TrainingBoxes boxes;
  boxes.inputs_ = archive.get<std::vector<std::int64_t>>("inputs");
  boxes.slope_ = archive.get<std::vector<double>>("slope");
  boxes.feature_ = archive.get<std::vector<std::int32_t>>("feature");
  boxes.threshold_ = archive.get<std::vector<float>>("threshold");
  boxes.low_ = archive.get<MatrixF>("low");
  boxes.high_ = archive.get<MatrixF>("high");
  boxes.usual_ = archive.number("usual");
  const auto n = std::ssize(boxes.inputs_);
  bool holds = n > 0 && std::ssize(boxes.slope_) == n && boxes.usual_ >= 0 && std::isfinite(boxes.usual_);
  for (std::size_t i = 0; holds && i < boxes.inputs_.size(); ++i)
    holds = boxes.inputs_[i] >= 0 && boxes.inputs_[i] < inputs && boxes.slope_[i] >= 0 && std::isfinite(boxes.slope_[i]);
  // Every node but the first is the child of an earlier one.
  std::size_t nodes = 1;
  for (std::size_t node = 0; holds && node < boxes.feature_.size(); ++node) {
    holds = node < nodes && boxes.feature_[node] >= -1 && boxes.feature_[node] < n;
    if (boxes.feature_[node] >= 0) nodes += 2;
  }
  holds = holds && boxes.feature_.size() == nodes && boxes.threshold_.size() == nodes;
  const auto leaves = static_cast<Index>((nodes + 1) / 2);
  for (const MatrixF* ends : {&boxes.low_, &boxes.high_}) holds = holds && ends->rows() == leaves && ends->cols() == n;
  holds = holds && (boxes.low_.array() <= boxes.high_.array()).all();  // false for NaN
  if (!holds) throw Error("the model file's boxes of training rows make no sense: it is damaged");
  boxes.number_nodes();
  return boxes;
}

}  // namespace taut
