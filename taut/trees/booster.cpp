#include <taut/trees/booster.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/trees/grower.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

struct Booster::Parts {
  struct Mark {
    Index rounds = 0;
    MatrixF margins;  // none before the first round
  };

  Parts(std::shared_ptr<const BinnedInputs> inputs, std::vector<std::uint32_t> learn, std::vector<std::uint32_t> follow,
        const BoosterSettings& chosen)
      : settings(chosen),
        bins(std::move(inputs)),
        train_rows(std::move(learn)),
        validation_rows(std::move(follow)),
        grower(*bins, chosen),
        gradient_rows(std::ssize(train_rows)),
        forest(bins->columns(), chosen.groups),
        margins(MatrixF::Zero(bins->rows(), chosen.groups)) {}

  BoosterSettings settings;
  std::shared_ptr<const BinnedInputs> bins;
  std::vector<std::uint32_t> train_rows, validation_rows;
  Grower grower;
  GradientRows gradient_rows;
  Forest forest;
  MatrixF margins;
  Mark mark;

  // Drawn for each tree anew, ascending.
  Rows columns(const Random& random) const {
    const Index all = bins->columns();
    Rows chosen = Random(random).permutation(all);
    chosen.resize(
        static_cast<std::size_t>(std::clamp<Index>(std::lround(settings.column_share * static_cast<double>(all)), 1, all)));
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }
};

namespace {

BoosterSettings checked(Index learning, Index rows, Index columns, BoosterSettings settings) {
  if (learning == 0 || columns == 0) throw Error("boosting needs at least one row and one input column");
  if (rows > std::numeric_limits<std::uint32_t>::max()) throw Error("boosting takes at most 4,294,967,295 rows");
  settings.threads = resolve_threads(settings.threads);
  return settings;
}

std::vector<std::uint32_t> short_numbers(RowsView rows) {
  std::vector<std::uint32_t> result(rows.size());
  std::transform(rows.begin(), rows.end(), result.begin(), [](Index row) { return static_cast<std::uint32_t>(row); });
  return result;
}

}  // namespace

Booster::Booster(const InputPool& x, RowsView train, RowsView validation, const BoosterSettings& settings) {
  const auto own = checked(std::ssize(train), x.rows(), x.columns(), settings);
  parts_ = std::make_unique<Parts>(x.binned(own.bins, own.threads), short_numbers(train), short_numbers(validation), own);
}

Booster::Booster(const Inputs& x, const BoosterSettings& settings) {
  const auto own = checked(x.rows(), x.rows(), x.cols(), settings);
  parts_ = std::make_unique<Parts>(std::make_shared<const BinnedInputs>(x, own.bins, own.threads),
                                   short_numbers(all_rows(x.rows())), std::vector<std::uint32_t>{}, own);
}

Booster::~Booster() = default;
Booster::Booster(Booster&&) noexcept = default;
Booster& Booster::operator=(Booster&&) noexcept = default;

void Booster::boost(const Matrix& gradient, const Matrix& curvature, double scale) {
  auto& parts = *parts_;
  const auto& settings = parts.settings;
  const Random round = Random(settings.seed).fork(static_cast<std::uint64_t>(rounds()));
  for (Index group = 0; group < settings.groups; ++group) {
    float* const margins = parts.margins.data() + group;
    parts.gradient_rows.draw(parts.train_rows, gradient, curvature, group, scale, 1 - settings.row_share, round.fork(0),
                             settings.threads);
    parts.grower.grow(parts.gradient_rows.learning(), parts.columns(round.fork(1 + static_cast<std::uint64_t>(group))));
    parts.grower.add_to_gradient_rows(parts.gradient_rows.learning(), margins, settings.groups);
    parts.grower.add_to_rows(parts.gradient_rows.others(), margins, settings.groups);
    parts.grower.add_to_rows(parts.validation_rows, margins, settings.groups);
    parts.forest.add_tree(parts.grower.nodes());
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
