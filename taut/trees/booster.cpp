#include <taut/trees/booster.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/trees/grower.hpp>
#include <taut/trees/symmetric_grower.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace taut {

namespace {

std::unique_ptr<TreeGrower> make_grower(const BinnedInputs& bins, const BoosterSettings& settings) {
  if (settings.symmetric) return std::make_unique<SymmetricGrower>(bins, settings);
  return std::make_unique<Grower>(bins, settings);
}

}  // namespace

struct Booster::Parts {
  struct Mark {
    Index rounds = 0;
    MatrixF margins;  // empty before the first round
  };

  Parts(std::shared_ptr<const BinnedInputs> inputs, std::vector<std::uint32_t> train, std::vector<std::uint32_t> validation,
        const BoosterSettings& chosen)
      : settings(chosen),
        bins(std::move(inputs)),
        train_rows(std::move(train)),
        validation_rows(std::move(validation)),
        grower(make_grower(*bins, chosen)),
        gradient_rows(std::ssize(train_rows)),
        forest(bins->columns(), chosen.outputs),
        margins(MatrixF::Zero(bins->rows(), chosen.outputs)) {}

  BoosterSettings settings;
  std::shared_ptr<const BinnedInputs> bins;
  std::vector<std::uint32_t> train_rows, validation_rows;
  std::unique_ptr<TreeGrower> grower;
  GradientRows gradient_rows;
  Forest forest;
  MatrixF margins;
  Mark mark;

  // If every column is unused, all are returned, and no tree gets a split.
  Rows usable_columns() const {
    Rows columns = all_rows(bins->columns());
    const auto& directions = settings.directions;
    const auto is_unused = [](Direction direction) { return direction == Direction::unused; };
    if (!std::all_of(directions.begin(), directions.end(), is_unused))
      std::erase_if(columns, [&](Index column) { return is_unused(directions[static_cast<std::size_t>(column)]); });
    return columns;
  }

  // A random sample of the columns, ascending.
  Rows sample_columns(const Random& random) const {
    const Rows usable = usable_columns();
    const Index all = std::ssize(usable);
    Rows chosen = Random(random).permutation(all);
    for (Index& column : chosen) column = usable[static_cast<std::size_t>(column)];
    chosen.resize(
        static_cast<std::size_t>(std::clamp<Index>(std::lround(settings.column_share * static_cast<double>(all)), 1, all)));
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }
};

namespace {

BoosterSettings resolved(BoosterSettings settings) {
  settings.threads = resolve_threads(settings.threads);
  return settings;
}

std::vector<std::uint32_t> short_numbers(RowsView rows, Index count) {
  std::vector<std::uint32_t> result;
  result.reserve(rows.size());
  for (const Index row : rows) {
    if (row < 0 || row >= count) throw Error(format_text("boosting was given row {} of inputs with {} rows", row, count));
    result.push_back(static_cast<std::uint32_t>(row));
  }
  return result;
}

}  // namespace

void check_boosting(Index train_rows, Index rows, Index columns) {
  constexpr Index maximum = std::numeric_limits<std::uint32_t>::max();
  if (train_rows == 0 || columns == 0)
    throw Error(format_text("boosting needs at least one row and one input column, got {} and {}", train_rows, columns));
  if (rows > maximum)
    throw Error(format_text("boosting takes at most {} rows, including validation rows, got {}; train on a sample of them",
                            print_count(maximum), print_count(rows)));
}

Booster::Booster(std::shared_ptr<const BinnedInputs> x, RowsView train, RowsView validation, const BoosterSettings& settings) {
  check_boosting(std::ssize(train), x->rows(), x->columns());
  auto train_rows = short_numbers(train, x->rows()), validation_rows = short_numbers(validation, x->rows());
  *this = Booster(std::move(x), std::move(train_rows), std::move(validation_rows), settings);
}

Booster::Booster(std::shared_ptr<const BinnedInputs> x, std::vector<std::uint32_t> train, std::vector<std::uint32_t> validation,
                 const BoosterSettings& settings) {
  check_boosting(std::ssize(train), x->rows(), x->columns());
  parts_ = std::make_unique<Parts>(std::move(x), std::move(train), std::move(validation), resolved(settings));
}

Booster::Booster(const Inputs& x, const BoosterSettings& settings) {
  check_boosting(x.rows(), x.rows(), x.cols());
  *this = Booster(std::make_shared<const BinnedInputs>(x, settings.bins, settings.threads), all_rows(x.rows()), {}, settings);
}

Booster::~Booster() = default;
Booster::Booster(Booster&&) noexcept = default;
Booster& Booster::operator=(Booster&&) noexcept = default;

void Booster::boost(const Matrix& gradient, const Matrix& curvature, double scale, const LeafValue& leaf_value) {
  auto& parts = *parts_;
  const auto& settings = parts.settings;
  const Random round = Random(settings.seed).fork(static_cast<std::uint64_t>(rounds()));
  const TracedPart growing("grow");
  for (Index output = 0; output < settings.outputs; ++output) {
    float* const margins = parts.margins.data() + output;
    parts.gradient_rows.sample(parts.train_rows, gradient, curvature, output, scale, 1 - settings.row_share, round.fork(0),
                               settings.threads, settings.weights);
    const auto stream = static_cast<std::uint64_t>(output);
    parts.grower->grow(parts.gradient_rows.sampled(), parts.sample_columns(round.fork(1 + stream)),
                       round.fork((std::uint64_t{1} << 32) + stream));
    if (leaf_value) parts.grower->replace_leaf_values(parts.gradient_rows.sampled(), leaf_value);
    const TracedPart adding("add leaves");
    parts.grower->add_to_gradient_rows(parts.gradient_rows.sampled(), margins, settings.outputs);
    parts.grower->add_to_rows(parts.gradient_rows.dropped(), margins, settings.outputs);
    parts.grower->add_to_rows(parts.validation_rows, margins, settings.outputs);
    parts.forest.add_tree(parts.grower->nodes());
  }
}

const MatrixF& Booster::margins() const { return parts_->margins; }
std::span<const std::uint32_t> Booster::train_rows() const { return parts_->train_rows; }
std::span<const std::uint32_t> Booster::validation_rows() const { return parts_->validation_rows; }
Index Booster::rounds() const { return parts_->forest.rounds(); }

void Booster::mark() { parts_->mark = {rounds(), rounds() == 0 ? MatrixF() : parts_->margins}; }

void Booster::rewind() {
  const auto& mark = parts_->mark;
  parts_->forest.truncate(mark.rounds);
  if (mark.rounds == 0)
    parts_->margins.setZero();
  else
    parts_->margins = mark.margins;
}

const Forest& Booster::forest() const { return parts_->forest; }

}  // namespace taut
