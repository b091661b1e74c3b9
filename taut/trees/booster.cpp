#include <taut/trees/booster.hpp>

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/trees/cuts.hpp>
#include <taut/trees/extract.hpp>
#include <taut/trees/xgboost.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace taut {

namespace {

struct FreeMatrix {
  void operator()(void* handle) const { xgboost().XGDMatrixFree(handle); }
};
struct FreeBooster {
  void operator()(void* handle) const { xgboost().XGBoosterFree(handle); }
};
using MatrixHandle = std::unique_ptr<void, FreeMatrix>;
using BoosterHandleOwner = std::unique_ptr<void, FreeBooster>;

// XGBoost reads our memory in place through this description.
std::string array_interface(const Inputs& x) {
  return R"({"data": [)" + std::to_string(reinterpret_cast<std::uintptr_t>(x.data())) + R"(, true], "shape": [)" +
         std::to_string(x.rows()) + ", " + std::to_string(x.cols()) + R"(], "strides": [)" +
         std::to_string(x.outerStride() * static_cast<Index>(sizeof(float))) + ", " + std::to_string(sizeof(float)) +
         R"(], "typestr": "<f4", "version": 3})";
}

// XGBoost asks for the data of a quantile matrix by calling back, several times over.
struct OneBatch {
  DMatrixHandle proxy = nullptr;
  std::string data;
  bool given = false;

  static void reset(void* self) { static_cast<OneBatch*>(self)->given = false; }
  static int next(void* self) {
    auto& batch = *static_cast<OneBatch*>(self);
    if (std::exchange(batch.given, true)) return 0;
    return xgboost().XGProxyDMatrixSetDataDense(batch.proxy, batch.data.c_str()) == 0 ? 1 : 0;
  }
};

// Bin numbers only, a quarter of the floats; XGBoost's plain matrix takes twice the floats besides. Limits come from `reference`.
MatrixHandle quantile_matrix(const Inputs& x, DMatrixHandle reference, const std::string& config) {
  const auto& library = xgboost();
  OneBatch batch{.data = array_interface(x)};
  library.check(library.XGProxyDMatrixCreate(&batch.proxy));
  const MatrixHandle proxy(batch.proxy);
  DMatrixHandle matrix = nullptr;
  library.check(library.XGQuantileDMatrixCreateFromCallback(&batch, batch.proxy, reference, OneBatch::reset, OneBatch::next,
                                                            config.c_str(), &matrix));
  return MatrixHandle(matrix);
}

// XGBoost refuses infinite cells and places its last limit at about twice the largest value, which must not overflow.
// Thresholds are as they were: everything beyond this is the same side of all of them.
constexpr float largest = std::numeric_limits<float>::max() / 8;

bool fits(const Inputs& x) { return !(x.array().abs() > largest).any(); }

MatrixF clamped(const Inputs& x) {
  return x.unaryExpr([](float value) { return value > largest ? largest : value < -largest ? -largest : value; });
}

// Waking a thread costs as much as some ten thousand cells of work.
int useful_threads(const Inputs& x, int requested) {
  constexpr Index cells_per_thread = 50'000;
  return static_cast<int>(std::clamp<Index>(x.size() / cells_per_thread, 1, resolve_threads(requested)));
}

// XGBoost adds gradients in an order that depends on its threads. Multiples of a power of two, so coarse that all their sums
// are exact in a double, make the order irrelevant; so fine that the largest still has 24 bits when there are 2^29 rows.
class Grid {
 public:
  Grid(double most, Index count) {
    const int bits = std::min(24, 52 - static_cast<int>(std::ceil(std::log2(static_cast<double>(count) + 1))));
    shift_ = most > 0 ? std::ldexp(1.5, 52 + std::ilogb(most) + 1 - bits) : 0;
  }
  // Adding a number whose last bit is the grid's unit rounds to the grid; taking it off is exact.
  float round(double value) const { return static_cast<float>((value + shift_) - shift_); }

 private:
  double shift_;
};

constexpr Index block = 1 << 14;

double largest_magnitude(const Matrix& values, int threads) {
  std::vector<double> most(static_cast<std::size_t>((values.size() + block - 1) / block));
  parallel_blocks(values.size(), block, threads, [&](Index begin, Index end) {
    const Eigen::Map<const Eigen::VectorXd> part(values.data() + begin, end - begin);
    most[static_cast<std::size_t>(begin / block)] = part.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  });
  double result = 0;
  for (const double value : most)
    if (!(value <= result)) result = value < 1e30 ? value : infinity;
  if (result == infinity) throw Error("boosting met a gradient that is not finite: the loss overflows on these rows");
  return result;
}

void round_all(const Matrix& values, double scale, MatrixF& out, int threads) {
  const Grid grid(scale * largest_magnitude(values, threads), values.rows());
  parallel_blocks(values.size(), block, threads, [&](Index begin, Index end) {
    const double* from = values.data();
    float* to = out.data();
    for (Index i = begin; i < end; ++i) to[i] = grid.round(scale * from[i]);
  });
}

// XGBoost's own sampling depends on its threads.
void leave_out(double share, const Random& random, MatrixF& gradient, MatrixF& curvature, int threads) {
  parallel_blocks(gradient.rows(), block, threads, [&](Index begin, Index end) {
    Random draw = random.fork(static_cast<std::uint64_t>(begin));
    for (Index row = begin; row < end; ++row) {
      if (draw.uniform() >= share) continue;
      gradient.row(row).setZero();
      curvature.row(row).setZero();
    }
  });
}

}  // namespace

// A booster can only grow. To go back, its trees up to the mark move to `grown`, and a new one starts from their margins.
struct Booster::Parts {
  struct Mark {
    Index rounds = 0;
    MatrixF train;  // margins; empty for 0
    MatrixF validation;
  };

  BoosterSettings settings;
  Index inputs = 0;
  Index rows = 0;
  Index validation_rows = 0;
  Random random;
  MatrixHandle train;
  MatrixHandle validation;
  BoosterHandleOwner booster;
  Index rounds = 0;
  Forest grown;
  Mark mark;
  MatrixF gradient;
  MatrixF curvature;

  explicit Parts(const BoosterSettings& chosen) : settings(chosen), random(chosen.seed) {}

  void create_booster() {
    const auto& library = xgboost();
    const DMatrixHandle cached[] = {train.get(), validation.get()};
    BoosterHandle handle = nullptr;
    library.check(library.XGBoosterCreate(cached, validation ? 2 : 1, &handle));
    booster.reset(handle);
    const auto set = [&](const char* name, const std::string& value) {
      library.check(library.XGBoosterSetParam(handle, name, value.c_str()));
    };
    set("verbosity", "0");
    set("nthread", std::to_string(settings.threads));
    set("tree_method", "hist");
    set("objective", "reg:squarederror");  // never used: every round brings its own gradients
    set("disable_default_eval_metric", "1");
    set("base_score", "0");
    if (settings.groups > 1) set("num_class", std::to_string(settings.groups));
    set("max_depth", std::to_string(settings.depth));
    set("max_bin", std::to_string(settings.bins));
    set("eta", print_number(settings.rate));
    set("lambda", print_number(settings.lambda));
    set("min_split_loss", print_number(settings.min_gain));
    set("min_child_weight", print_number(settings.min_weight));
    set("colsample_bytree", print_number(settings.column_share));
    set("seed", std::to_string(settings.seed % 2147483647));
  }

  Eigen::Map<const MatrixF> margins(DMatrixHandle matrix, Index count) const {
    static constexpr auto* config =
        R"({"type": 1, "training": true, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true})";
    bst_ulong const* shape = nullptr;
    bst_ulong dimensions = 0;
    float const* values = nullptr;
    if (count > 0)
      xgboost().check(xgboost().XGBoosterPredictFromDMatrix(booster.get(), matrix, config, &shape, &dimensions, &values));
    return {values, count, settings.groups};
  }

  void start_from(DMatrixHandle matrix, const MatrixF& margin) {
    constexpr int of_floats = 1;
    if (matrix == nullptr || margin.size() == 0) return;
    xgboost().check(
        xgboost().XGDMatrixSetDenseInfo(matrix, "base_margin", margin.data(), static_cast<bst_ulong>(margin.size()), of_floats));
  }

  Forest forest() const {
    const auto& library = xgboost();
    Forest all = grown;
    if (rounds == grown.rounds()) return all;
    bst_ulong length = 0;
    char const* bytes = nullptr;
    library.check(library.XGBoosterSaveModelToBuffer(booster.get(), R"({"format": "ubj"})", &length, &bytes));
    add_trees({bytes, length}, all);
    return all;
  }
};

Booster::Booster(const Inputs& train, const Inputs& validation, const BoosterSettings& settings)
    : parts_(std::make_unique<Parts>(settings)) {
  if (train.rows() == 0 || train.cols() == 0) throw Error("boosting needs at least one row and one input column");
  if (!fits(train) || !fits(validation)) {
    *this = Booster(clamped(train), clamped(validation), settings);
    return;
  }
  const auto& library = xgboost();
  library.check(library.XGBSetGlobalConfig(R"({"verbosity": 0})"));
  auto& parts = *parts_;
  parts.settings.threads = useful_threads(train, settings.threads);
  parts.rows = train.rows();
  parts.inputs = train.cols();
  parts.validation_rows = validation.rows();
  const std::string config = R"({"missing": NaN, "nthread": )" + std::to_string(parts.settings.threads) + R"(, "max_bin": )" +
                             std::to_string(settings.bins) + "}";
  {
    const MatrixF cuts = cut_points(train, settings.bins, parts.settings.threads);
    const auto reference = quantile_matrix(cuts, nullptr, config);
    parts.train = quantile_matrix(train, reference.get(), config);
  }
  if (validation.rows() > 0) {
    // Predicting from a quantile matrix takes XGBoost thirteen times as long as from a plain one.
    DMatrixHandle matrix = nullptr;
    library.check(library.XGDMatrixCreateFromDense(array_interface(validation).c_str(), config.c_str(), &matrix));
    parts.validation.reset(matrix);
  }
  parts.create_booster();
  parts.grown = Forest(parts.inputs, settings.groups);
  parts.gradient.resize(parts.rows, settings.groups);
  parts.curvature.resize(parts.rows, settings.groups);
}

Booster::~Booster() = default;
Booster::Booster(Booster&&) noexcept = default;
Booster& Booster::operator=(Booster&&) noexcept = default;

void Booster::boost(const Matrix& gradient, const Matrix& curvature, double scale) {
  auto& parts = *parts_;
  const auto& settings = parts.settings;
  round_all(gradient, scale, parts.gradient, settings.threads);
  round_all(curvature, scale, parts.curvature, settings.threads);
  if (settings.row_share < 1)
    leave_out(1 - settings.row_share, parts.random.fork(static_cast<std::uint64_t>(parts.rounds)), parts.gradient,
              parts.curvature, settings.threads);
  // XGBoost keeps the margins up to date only once they have been asked for.
  if (parts.rounds == parts.grown.rounds()) parts.margins(parts.train.get(), parts.rows);
  const auto& library = xgboost();
  if (library.XGBoosterTrainOneIter != nullptr)
    library.check(library.XGBoosterTrainOneIter(parts.booster.get(), parts.train.get(), 0,
                                                array_interface(parts.gradient).c_str(),
                                                array_interface(parts.curvature).c_str()));
  else
    library.check(library.XGBoosterBoostOneIter(parts.booster.get(), parts.train.get(), parts.gradient.data(),
                                                parts.curvature.data(), static_cast<bst_ulong>(parts.gradient.size())));
  ++parts.rounds;
}

Eigen::Map<const MatrixF> Booster::train_margins() { return parts_->margins(parts_->train.get(), parts_->rows); }

Eigen::Map<const MatrixF> Booster::validation_margins() {
  return parts_->margins(parts_->validation.get(), parts_->validation_rows);
}

Index Booster::rounds() const { return parts_->rounds; }

void Booster::mark() {
  auto& parts = *parts_;
  parts.mark.rounds = parts.rounds;
  parts.mark.train = train_margins();
  parts.mark.validation = validation_margins();
}

void Booster::rewind() {
  auto& parts = *parts_;
  if (parts.rounds == parts.mark.rounds) return;
  parts.grown = parts.forest();
  parts.grown.truncate(parts.mark.rounds);
  parts.rounds = parts.mark.rounds;
  parts.start_from(parts.train.get(), parts.mark.train);
  parts.start_from(parts.validation.get(), parts.mark.validation);
  parts.create_booster();
}

Forest Booster::forest() const { return parts_->forest(); }

}  // namespace taut
