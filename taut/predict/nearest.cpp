#include <taut/predict/nearest.hpp>

#include <taut/core/threads.hpp>
#include <taut/network/kernels.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

// All distances of a block of queries to a block of rows by one matrix product: |x - q|² = |x|² - 2x·q + |q|².
//
// The product is in single precision, where the three terms may cancel: its error is below float_error·(|x|² + |q|²). The
// distance in double precision is therefore computed only for rows with |x|²(1 - e) - 2x·q <= worst - |q|²(1 - e).

namespace {

constexpr Index query_block = 256;
constexpr Index row_block = 512;
constexpr Index chunk = 64;          // rows that are rejected together
constexpr double float_huge = 1e37;  // larger squares may overflow in single precision; then no row is rejected

class Products final : public Nearest {
 public:
  explicit Products(const MatrixF& data) : data_(data), lowered_norms_(data.rows()) {
    const double keep = 1 - 2 * float_error(data.cols());
    for (Index r = 0; r < data.rows(); ++r) {
      const double norm = keep * data.row(r).cast<double>().squaredNorm();
      lowered_norms_[r] = static_cast<float>(norm);
      greatest_norm_ = std::max(greatest_norm_, norm);
    }
  }

  void search(const Inputs& queries, Index k, int threads, const Visit& visit) const override {
    const double keep = 1 - 2 * float_error(data_.cols());
    parallel_blocks(queries.rows(), query_block, threads, [&](Index begin, Index end) {
      const Index count = end - begin;
      std::vector<Shortlist> shortlists(static_cast<std::size_t>(count), Shortlist(k));
      MatrixF products(count, row_block);
      std::vector<float> turned(static_cast<std::size_t>(data_.cols() * row_block));  // a block of rows, transposed
      const std::vector<float> zeros(row_block);
      const MatrixF doubled = -2 * queries.middleRows(begin, count);
      const Eigen::VectorXd norms = keep * queries.middleRows(begin, count).cast<double>().rowwise().squaredNorm();
      for (Index row = 0; row < data_.rows(); row += row_block) {
        const Index rows = std::min(row_block, data_.rows() - row);
        kernels_.transpose({data_.row(row).data(), data_.cols()}, rows, data_.cols(), {turned.data(), row_block});
        kernels_.multiply({doubled.data(), doubled.cols(), 1}, {turned.data(), row_block}, {zeros.data(), 0},
                          {products.data(), row_block}, count, data_.cols(), padded(rows));
        for (Index q = 0; q < count; ++q)
          scan(products.row(q).data(), row, rows, queries.row(begin + q).data(), norms[q],
               shortlists[static_cast<std::size_t>(q)]);
      }
      for (Index q = 0; q < count; ++q) visit(begin + q, shortlists[static_cast<std::size_t>(q)].neighbours());
    });
  }

 private:
  void scan(const float* products, Index first, Index rows, const float* query, double lowered_norm, Shortlist& shortlist) const {
    const float* norms = lowered_norms_.data() + first;
    const bool safe = greatest_norm_ < float_huge && lowered_norm < float_huge;
    const auto limit_now = [&] {
      const double limit = shortlist.worst() - lowered_norm;
      return safe ? static_cast<float>(limit + 1e-6 * std::abs(limit) + float_tiny) : std::numeric_limits<float>::infinity();
    };
    float limit = limit_now();
    const auto look = [&](Index i) {
      if (norms[i] + products[i] > limit) return;
      shortlist.offer({square_distance(data_.row(first + i).data(), query, data_.cols()), first + i});
      limit = limit_now();
    };
    using Chunk = Eigen::Array<float, chunk, 1>;
    Index i = 0;
    for (; i + chunk <= rows; i += chunk) {
      if ((Eigen::Map<const Chunk>(norms + i) + Eigen::Map<const Chunk>(products + i)).minCoeff() > limit) continue;
      for (Index j = i; j < i + chunk; ++j) look(j);
    }
    for (; i < rows; ++i) look(i);
  }

  const MatrixF& data_;
  const NetworkKernels& kernels_ = network_kernels(instruction_set());
  Eigen::VectorXf lowered_norms_;  // |x|²(1 - e)
  double greatest_norm_ = 0;
};

}  // namespace

std::unique_ptr<Nearest> nearest_by_products(const MatrixF& data) { return std::make_unique<Products>(data); }

std::unique_ptr<Nearest> nearest(const MatrixF& data) {
  // Measured on independent normal columns, the worst case of a tree: with 8 columns and 100,000 rows both take the same time.
  constexpr Index max_columns_for_tree = 8;
  return data.cols() <= max_columns_for_tree ? nearest_by_tree(data) : nearest_by_products(data);
}

// A kd-tree with tight bounding boxes. The rows of a leaf are stored in groups of sixteen, column by column, so that sixteen
// distances are computed at once. The queries of a block are sorted by leaf, so that consecutive queries use the same cache
// lines.

namespace {

constexpr Index group = 16;  // rows whose distances are computed together
using Group = Eigen::Array<float, group, 1>;
constexpr Index leaf_rows = 2 * group;
constexpr Index queries_at_once = 1024;

class Tree final : public Nearest {
 public:
  explicit Tree(const MatrixF& data) : data_(data), columns_(data.cols()), order_(static_cast<std::size_t>(data.rows())) {
    std::iota(order_.begin(), order_.end(), std::int32_t{0});
    build(0, data.rows());
  }

  void search(const Inputs& queries, Index k, int threads, const Visit& visit) const override {
    parallel_blocks(queries.rows(), queries_at_once, threads, [&](Index begin, Index end) {
      std::vector<std::pair<std::int32_t, Index>> by_leaf;
      for (Index q = begin; q < end; ++q) by_leaf.emplace_back(leaf_of(queries.row(q).data()), q);
      std::sort(by_leaf.begin(), by_leaf.end());
      Shortlist shortlist(k);
      for (const auto& [leaf, q] : by_leaf) {
        shortlist.clear();
        const float* query = queries.row(q).data();
        descend(0, query, shortlist);
        visit(q, shortlist.neighbours());
      }
    });
  }

 private:
  // The left child follows its parent; a leaf has no right child.
  struct Node {
    std::int32_t right = 0;
    std::int32_t split_column = 0;
    float split = 0;
    std::int32_t first_group = 0;     // leaf: where its groups start
    std::int32_t begin = 0, end = 0;  // its part of order_
  };

  std::int32_t build(Index begin, Index end) {
    const auto number = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({.begin = static_cast<std::int32_t>(begin), .end = static_cast<std::int32_t>(end)});
    const Index widest = append_box(begin, end);
    if (end - begin <= leaf_rows) {
      nodes_.back().first_group = static_cast<std::int32_t>(std::ssize(groups_) / (group * columns_));
      append_groups(begin, end);
      return number;
    }
    const Index middle = begin + (end - begin + 1) / 2;
    const auto less = [&](std::int32_t a, std::int32_t b) { return data_(a, widest) < data_(b, widest); };
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, less);
    const float split = data_(order_[static_cast<std::size_t>(middle)], widest);
    build(begin, middle);
    const std::int32_t right = build(middle, end);
    Node& node = nodes_[static_cast<std::size_t>(number)];
    node.right = right;
    node.split_column = static_cast<std::int32_t>(widest);
    node.split = split;
    return number;
  }

  // Appends the smallest and the largest values of the rows; returns the column in which they differ most.
  Index append_box(Index begin, Index end) {
    Eigen::RowVectorXf low = data_.row(order_[static_cast<std::size_t>(begin)]), high = low;
    for (Index i = begin + 1; i < end; ++i) {
      const auto row = data_.row(order_[static_cast<std::size_t>(i)]);
      low = low.cwiseMin(row);
      high = high.cwiseMax(row);
    }
    boxes_.insert(boxes_.end(), low.begin(), low.end());
    boxes_.insert(boxes_.end(), high.begin(), high.end());
    Index widest = 0;
    (high - low).maxCoeff(&widest);
    return widest;
  }

  void append_groups(Index begin, Index end) {
    for (; begin < end; begin += group) {
      const std::size_t at = groups_.size();
      groups_.resize(at + static_cast<std::size_t>(group * columns_), 0.0F);
      for (Index i = 0; i < std::min(group, end - begin); ++i)
        for (Index c = 0; c < columns_; ++c)
          groups_[at + static_cast<std::size_t>(c * group + i)] = data_(order_[static_cast<std::size_t>(begin + i)], c);
    }
  }

  std::int32_t leaf_of(const float* query) const {
    std::int32_t at = 0;
    while (node(at).right != 0) at = query[node(at).split_column] < node(at).split ? at + 1 : node(at).right;
    return at;
  }

  void descend(std::int32_t at, const float* query, Shortlist& shortlist) const {
    if (node(at).right == 0) return scan(node(at), query, shortlist);
    std::int32_t near = at + 1, far = node(at).right;
    double near_bound = box_bound(near, query), far_bound = box_bound(far, query);
    if (far_bound < near_bound) {
      std::swap(near, far);
      std::swap(near_bound, far_bound);
    }
    if (near_bound <= shortlist.worst()) descend(near, query, shortlist);
    if (far_bound <= shortlist.worst()) descend(far, query, shortlist);
  }

  // A lower bound of the squared distance from the query to any row in the box.
  double box_bound(std::int32_t at, const float* query) const {
    const float* low = boxes_.data() + static_cast<Index>(at) * 2 * columns_;
    const float* high = low + columns_;
    float sum = 0;
    for (Index c = 0; c < columns_; ++c) {
      const float outside = std::max(std::max(low[c] - query[c], query[c] - high[c]), 0.0F);
      sum += outside * outside;
    }
    return static_cast<double>(std::min(sum, std::numeric_limits<float>::max())) * (1 - error_) - float_tiny;
  }

  void scan(const Node& leaf, const float* query, Shortlist& shortlist) const {
    const float* values = groups_.data() + static_cast<Index>(leaf.first_group) * group * columns_;
    for (Index begin = leaf.begin; begin < leaf.end; begin += group, values += group * columns_) {
      Group sums = Group::Zero();
      for (Index c = 0; c < columns_; ++c) sums += (Eigen::Map<const Group>(values + c * group) - query[c]).square();
      const Index count = std::min<Index>(group, leaf.end - begin);
      const auto limit = static_cast<float>(shortlist.worst() * (1 + error_) + float_tiny);
      if (sums.minCoeff() > limit) continue;
      for (Index i = 0; i < count; ++i) {
        if (sums[i] > limit) continue;
        const Index row = order_[static_cast<std::size_t>(begin + i)];
        shortlist.offer({square_distance(data_.row(row).data(), query, columns_), row});
      }
    }
  }

  const Node& node(std::int32_t at) const { return nodes_[static_cast<std::size_t>(at)]; }

  const MatrixF& data_;
  Index columns_;
  double error_ = 2 * float_error(data_.cols());
  std::vector<std::int32_t> order_;
  std::vector<Node> nodes_;
  std::vector<float> boxes_;   // for each node: low, high
  std::vector<float> groups_;  // for each leaf: groups x columns x 16
};

}  // namespace

std::unique_ptr<Nearest> nearest_by_tree(const MatrixF& data) { return std::make_unique<Tree>(data); }

}  // namespace taut
