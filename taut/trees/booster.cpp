#include <taut/trees/booster.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/trees/cuts.hpp>
#include <taut/trees/grower.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

struct Booster::Parts {
  struct Mark {
    Index rounds = 0;
    MatrixF train;  // margins
    MatrixF validation;
  };

  Parts(const Inputs& x, const Inputs& validation_x, BoosterSettings chosen)
      : settings(chosen),
        cuts(thresholds(x, std::clamp<Index>(chosen.bins - 2, 1, Bins::most_thresholds), chosen.threads)),
        train_bins(x, cuts, chosen.threads),
        validation_bins(validation_x, cuts, chosen.threads),
        validation_rows(static_cast<std::size_t>(validation_x.rows())),
        grower(train_bins, cuts, chosen),
        learners(x.rows()),
        forest(x.cols(), chosen.groups),
        train(MatrixF::Zero(x.rows(), chosen.groups)),
        validation(MatrixF::Zero(validation_x.rows(), chosen.groups)),
        mark{0, train, validation} {
    std::iota(validation_rows.begin(), validation_rows.end(), 0U);
  }

  BoosterSettings settings;
  std::vector<std::vector<float>> cuts;
  Bins train_bins;
  Bins validation_bins;
  std::vector<std::uint32_t> validation_rows;
  Grower grower;
  Learners learners;
  Forest forest;
  MatrixF train;  // margins
  MatrixF validation;
  Mark mark;

  // Drawn for each tree anew, ascending.
  Rows columns(const Random& random) const {
    const Index all = train_bins.columns();
    Rows chosen = Random(random).permutation(all);
    chosen.resize(
        static_cast<std::size_t>(std::clamp<Index>(std::lround(settings.column_share * static_cast<double>(all)), 1, all)));
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }
};

namespace {

BoosterSettings checked(const Inputs& train, BoosterSettings settings) {
  if (train.rows() == 0 || train.cols() == 0) throw Error("boosting needs at least one row and one input column");
  if (train.rows() > std::numeric_limits<std::uint32_t>::max()) throw Error("boosting takes at most 4,294,967,295 rows");
  settings.threads = resolve_threads(settings.threads);
  return settings;
}

}  // namespace

Booster::Booster(const Inputs& train, const Inputs& validation, const BoosterSettings& settings)
    : parts_(std::make_unique<Parts>(train, validation, checked(train, settings))) {}

Booster::~Booster() = default;
Booster::Booster(Booster&&) noexcept = default;
Booster& Booster::operator=(Booster&&) noexcept = default;

void Booster::boost(const Matrix& gradient, const Matrix& curvature, double scale) {
  auto& parts = *parts_;
  const auto& settings = parts.settings;
  const Random round = Random(settings.seed).fork(static_cast<std::uint64_t>(rounds()));
  for (Index group = 0; group < settings.groups; ++group) {
    parts.learners.draw(gradient, curvature, group, scale, 1 - settings.row_share, round.fork(0), settings.threads);
    parts.grower.grow(parts.learners.learning(), parts.columns(round.fork(1 + static_cast<std::uint64_t>(group))));
    parts.grower.add_to_learners(parts.learners.learning(), parts.train.data() + group, settings.groups);
    parts.grower.add_to_rows(parts.train_bins, parts.learners.others(), parts.train.data() + group, settings.groups);
    parts.grower.add_to_rows(parts.validation_bins, parts.validation_rows, parts.validation.data() + group, settings.groups);
    parts.forest.add_tree(parts.grower.nodes());
  }
}

const MatrixF& Booster::train_margins() const { return parts_->train; }
const MatrixF& Booster::validation_margins() const { return parts_->validation; }
Index Booster::rounds() const { return parts_->forest.rounds(); }

void Booster::mark() { parts_->mark = {rounds(), parts_->train, parts_->validation}; }

void Booster::rewind() {
  parts_->forest.truncate(parts_->mark.rounds);
  parts_->train = parts_->mark.train;
  parts_->validation = parts_->mark.validation;
}

const Forest& Booster::forest() const { return parts_->forest; }

}  // namespace taut
