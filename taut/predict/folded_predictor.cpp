#include <taut/predict/folded_predictor.hpp>

#include <taut/core/format.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace taut {

namespace {
constexpr Index max_members = 100'000;  // that a file may have
}

FoldedPredictor::FoldedPredictor(std::string name, TargetScale scale, StandardUnits units)
    : name_(std::move(name)), scale_(std::move(scale)), units_(units) {
  const auto made = predictors().make(name_);
  outputs_ = static_cast<std::size_t>(made->outputs());
  needs_ = made->needs();
}

std::vector<double> FoldedPredictor::train_member(std::size_t fold, const FoldInputs& inputs, std::span<const double> y,
                                                  const PredictorSettings& settings, const ExecutionContext& context,
                                                  const PointLoss* loss) {
  const Traced traced("train f", [&] { return format_text("{}, fold {} of {}", name_, fold + 1, inputs.folds().size()); });
  const TrainingPart& part = inputs.folds()[fold];
  const Rows training = part.train();
  const auto pool = inputs.pool(needs_, fold, context.threads);
  std::vector<double> standard = pick(y, training);
  const std::vector<double> as_given = loss != nullptr ? standard : std::vector<double>();
  for (double& value : standard) value = units_.standard(scale_.forward(value));
  PredictorSettings own = settings;
  own.seed = settings.seed + fold;
  own.directions = inputs.encoder(needs_).directions_of_inputs(settings.directions);
  const std::vector<double> weights = loss != nullptr ? pool->weights_of(training) : std::vector<double>();
  std::optional<OwnTarget> target;
  if (loss != nullptr) own.own = &target.emplace(OwnTarget{*loss, units_, as_given, weights});
  auto member = predictors().make(name_);
  member->fit(*pool, training, standard, own, context);
  std::vector<double> held_out(static_cast<std::size_t>(part.validation_rows()) * outputs_);
  member->predict(pool->floats().middleRows(part.begin, part.validation_rows()), held_out, context.threads);
  pool->evict();
  for (double& value : held_out) value = in_units(value);
  members_[fold] = std::move(member);
  return held_out;
}

void FoldedPredictor::append(const FoldedPredictor& other) {
  members_.insert(members_.end(), other.members_.begin(), other.members_.end());
}

std::vector<double> FoldedPredictor::predict(const Inputs& inputs, int threads) const {
  std::vector<double> mean(static_cast<std::size_t>(inputs.rows()) * outputs_);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const std::vector<double> one = predict_member(m, inputs, threads);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += one[i] / static_cast<double>(members_.size());
  }
  for (double& value : mean) value = in_units(value);
  return mean;
}

std::vector<double> FoldedPredictor::predict_member(std::size_t which, const Inputs& inputs, int threads) const {
  std::vector<double> values(static_cast<std::size_t>(inputs.rows()) * outputs_);
  members_[which]->predict(inputs, values, threads);
  return values;
}

void FoldedPredictor::save(Archive archive) const {
  archive.put("name", name_);
  units_.save(archive);
  if (!scale_.is_identity()) scale_.save(archive);
  limits_.save(archive);
  archive.put("members", static_cast<std::int64_t>(members_.size()));
  for (std::size_t m = 0; m < members_.size(); ++m) members_[m]->save(archive.scope("member" + std::to_string(m)));
}

FoldedPredictor FoldedPredictor::load(const Archive& archive) {
  FoldedPredictor predictor(archive.text("name"), TargetScale::load(archive), StandardUnits::load(archive));
  predictor.limits_ = PredictionLimits::load(archive);
  return predictor;
}

void FoldedPredictor::load_members(const Archive& archive, Index inputs) {
  members_.resize(static_cast<std::size_t>(archive.integer_in("members", 1, max_members)));
  for (std::size_t m = 0; m < members_.size(); ++m) {
    auto member = predictors().make(name_);
    member->load(archive.scope("member" + std::to_string(m)), inputs);
    members_[m] = std::move(member);
  }
}

namespace {

constexpr std::size_t bytes_of_training_row = 80;  // measured for boosted trees, without what the trainings share

StandardUnits units_on(const TargetScale& scale, const std::vector<double>& values, RowWeights weights) {
  std::vector<double> scaled;
  scaled.reserve(values.size());
  for (const double y : values) scaled.push_back(scale.forward(y));
  return StandardUnits::of(scaled, weights);
}

// Reports that a subset of very many rows was enough. Folds may have used different numbers of rows: the largest is reported.
void tell_rows_sufficing(const FoldedPredictor& predictor, Index rows, const ExecutionContext& context) {
  Index maximum = 0;
  for (Index which = 0; which < predictor.n_members(); ++which) {
    const Index own = predictor.member(which).rows_sufficing();
    if (own == 0) return;
    maximum = std::max(maximum, own);
  }
  context.tell_detail(format_text("{} was trained on {} of {} rows: more rows did not help; --effort thorough uses all",
                                  predictor.name(), print_count(maximum), print_count(rows)));
}

}  // namespace

FoldTraining::FoldTraining(const std::vector<StackCandidate>& candidates, const StackRows& rows, FoldInputs& inputs,
                           const PredictorSettings& settings, const ExecutionContext& context)
    : rows_(rows), inputs_(inputs), settings_(settings), context_(context) {
  settings_.companions = std::ssize(rows.folds);
  for (const StackCandidate& candidate : candidates) {
    const TargetScale scale(candidate.scale, rows.y);
    candidates_.push_back(
        {{candidate.predictor, scale, candidate.units ? *candidate.units : units_on(scale, rows.y, rows.weights)}});
    candidates_.back().predictor.resize(rows.folds.size());
    inputs.prepare(candidates_.back().predictor.needs(), context);
    held_out_.emplace_back(rows.folds.size());
    // Trees do not extrapolate.
    const FoldedPredictor& own = candidates_.back().predictor;
    are_limited_.push_back((candidate.is_limited || !scale.is_identity()) && own.needs() == Encoding::standardised &&
                           own.outputs() == 1);
  }
}

void FoldTraining::train(const std::vector<Job>& jobs, const std::function<bool(Job)>& is_wanted,
                         const std::function<void(Job)>& done) {
  std::vector<double> seconds(jobs.size());
  return_free_memory();
  const auto run = [&](Index which, const ExecutionContext& inside) {
    const Job job = jobs[static_cast<std::size_t>(which)];
    if (!is_wanted(job)) return;
    const auto start = std::chrono::steady_clock::now();
    held_out_[job.candidate][job.fold] =
        candidates_[job.candidate].predictor.train_member(job.fold, inputs_, rows_.y, settings_, inside, rows_.loss);
    seconds[static_cast<std::size_t>(which)] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    done(job);
  };
  if (rows_.loss != nullptr)
    for (Index which = 0; which < std::ssize(jobs); ++which) run(which, context_);
  else
    run_concurrently(std::ssize(jobs), context_, "fitting the predictor", run, rows_.rows.size() * bytes_of_training_row);
  for (std::size_t which = 0; which < jobs.size(); ++which) candidates_[jobs[which].candidate].seconds += seconds[which];
}

Matrix FoldTraining::held_out(std::size_t fold) const {
  Matrix columns(rows_.folds[fold].validation_rows(), std::ssize(candidates_));
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    columns.col(static_cast<Index>(k)) = Eigen::Map<const Eigen::VectorXd>(held_out_[k][fold].data(), columns.rows());
  return columns;
}

std::vector<TrainedCandidate> FoldTraining::taken(const std::vector<bool>& kept) && {
  std::vector<TrainedCandidate> taken;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    if (!kept[k]) continue;
    taken.push_back(std::move(candidates_[k]));
    auto& all = taken.back().held_out;
    for (const auto& fold : held_out_[k]) all.insert(all.end(), fold.begin(), fold.end());
    if (are_limited_[k] && !all.empty()) limit(taken.back());
    tell_rows_sufficing(taken.back().predictor, std::ssize(rows_.rows), context_);
  }
  return taken;
}

void FoldTraining::limit(TrainedCandidate& candidate) const {
  const double margin = choose_margin(candidate.held_out, rows_.y, rows_.folds, rows_.in_order, rows_.weights);
  if (margin < infinity) candidate.predictor.set_limits(PredictionLimits(rows_.y, margin));
}

std::vector<TrainedCandidate> train_over_folds(const std::vector<StackCandidate>& candidates, const StackRows& rows,
                                               FoldInputs& inputs, const PredictorSettings& settings,
                                               const ExecutionContext& context) {
  FoldTraining training(candidates, rows, inputs, settings, context);
  std::vector<FoldTraining::Job> jobs;
  for (std::size_t k = 0; k < candidates.size(); ++k)
    for (std::size_t fold = 0; fold < rows.folds.size(); ++fold) jobs.push_back({k, fold});
  training.train(
      jobs, [](FoldTraining::Job) { return true; }, [](FoldTraining::Job) {});
  return std::move(training).taken(std::vector<bool>(candidates.size(), true));
}

}  // namespace taut
