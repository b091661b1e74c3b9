#include <taut/fit/point_predictor.hpp>

#include <taut/core/error.hpp>
#include <taut/fit/disagreement.hpp>
#include <taut/fit/repeats.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr Index folds_without_plan = 5;
constexpr const char* name_of_stack = "stack";

// Of few rows every tenth matters to f, so each fold of the plan is cut in two: predictors train on 90 % of the rows instead of
// 80 %. Folds in time order and of groups cannot be cut. g keeps the folds of the plan.
bool halves_folds(const FitOptions& options, Index rows) {
  constexpr Index min_rows = 50, max_rows = 1500;
  return options.stacks() && options.search_effort() != SearchEffort::quick && !options.is_in_order() &&
         options.keep_together.empty() && min_rows <= rows && rows <= max_rows;
}

std::vector<TrainingPart> halves(const std::vector<TrainingPart>& folds) {
  std::vector<TrainingPart> result;
  for (const TrainingPart& fold : folds) {
    const Index middle = fold.begin + fold.validation_rows() / 2;
    result.push_back({fold.rows, fold.begin, middle});
    result.push_back({fold.rows, middle, fold.end});
  }
  return result;
}

// A stack needs out-of-fold predictions to weight its members. If the plan has no folds, the rows are split into blocks: their
// order is random already, or it is the order of time.
std::vector<TrainingPart> folds_for(const FitOptions& options, const RowPlan& plan) {
  const Index n = std::ssize(plan.predictor);
  if (!plan.folds.empty()) return halves_folds(options, n) ? halves(plan.folds) : plan.folds;
  if (!options.stacks()) return {TrainingPart{.rows = n}};
  return equal_parts(n, std::min(folds_without_plan, n), options.gap);
}

RowPredictions as_predictions(const std::vector<double>& values, std::size_t outputs) {
  if (outputs == 1) return RowPredictions(values);
  std::array<std::vector<double>, 2> ends;
  for (std::size_t i = 0; i < values.size(); ++i) ends[i % outputs].push_back(values[i]);
  return {std::move(ends[0]), std::move(ends[1])};
}

}  // namespace

PointPredictor::Fitted PointPredictor::fit(const TableView& x, std::span<const double> y, const RowPlan& plan,
                                           const FitOptions& options, const ExecutionContext& context, RowWeights weights,
                                           const PointLoss* loss, const WantsRepeat& wants) {
  const PredictorSettings settings{.seed = static_cast<std::uint64_t>(options.seed),
                                   .knn_rows = options.knn_rows,
                                   .effort = options.search_effort(),
                                   .directions = options.directions_of(x.columns()),
                                   .mean = !options.exposure.empty()};
  const StackRows rows{x,
                       plan.predictor,
                       pick(y, plan.predictor),
                       folds_for(options, plan),
                       options.is_in_order(),
                       pick_weights(weights, plan.predictor),
                       loss};
  if (loss != nullptr) check_loss(*loss, rows.y, context);
  FoldInputs inputs(x, rows.rows, rows.y, rows.folds, settings.seed, rows.weights);

  TrainedStack trained;
  if (options.stacks()) {
    trained = train_stack(rows, inputs, options, settings, context);
  } else {
    const StackCandidate only{options.predictor, scale_in_force(options, rows, settings, context), /*is_limited=*/false};
    trained.members = train_over_folds({only}, rows, inputs, settings, context);
    trained.weights = {1};
  }
  Repeats repeats(trained, rows, inputs, plan.groups, settings, context);
  const auto fitted = [&] {
    Fitted result;
    result.stack = trained.record;
    result.repeats = repeats.done();
    std::vector<double> held_out;
    for (std::size_t k = 0; k < trained.members.size(); ++k) {
      if (!(trained.weights[k] > 0)) continue;
      if (!plan.folds.empty()) add_weighted(held_out, trained.members[k].held_out, trained.weights[k]);
      result.predictor.add(trained.members[k].predictor, trained.weights[k], inputs, settings.directions);
    }
    const bool disagree = result.predictor.parts_.size() > 1;
    result.predictor.tell_disagreement(disagree);
    result.out_of_sample = plan.folds.empty() ? result.predictor.predict(x, plan.transform, context.threads)
                                              : as_predictions(held_out, result.predictor.outputs());
    if (disagree && !plan.folds.empty()) result.out_of_sample.set_disagreement(repeats.disagreement());
    return result;
  };
  const auto out_of_sample = [&] { return fitted().out_of_sample; };
  const auto wants_another = [&] {
    return wants.another ? wants.another(repeats, out_of_sample) : repeats.done() < options.repeats;
  };
  while (wants_another() && repeats.add(wants.gives_up)) {
  }
  return fitted();
}

// Training rows are encoded as always: an infinite cell would outweigh all others.
void PointPredictor::add(FoldedPredictor predictor, double weight, const FoldInputs& inputs, const InputDirections& directions) {
  const auto [encoder, is_new] = encoders_.try_emplace(predictor.needs(), inputs.encoder(predictor.needs()));
  if (is_new) encoder->second.order_infinite(directions);
  parts_.push_back({std::move(predictor), weight});
}

template <class InputsOf>
RowPredictions PointPredictor::weighted_mean(InputsOf inputs_of, int threads) const {
  std::map<Encoding, MatrixF> inputs;
  for (const auto& [encoding, encoder] : encoders_) inputs.emplace(encoding, inputs_of(encoder));
  if (tells_disagreement_) return with_disagreement(inputs, threads);
  std::vector<double> sum;
  for (const Part& part : parts_)
    add_weighted(sum, part.predictor.predict(inputs.at(part.predictor.needs()), threads), part.weight);
  return as_predictions(sum, outputs());
}

// Of a training row only the members of its fold predict without having seen it. So that new rows have numbers of the same kind,
// the members of each fold are compared with each other: the means over folds would agree more.
RowPredictions PointPredictor::with_disagreement(const std::map<Encoding, MatrixF>& inputs, int threads) const {
  std::vector<std::vector<double>> means(parts_.size()), of_fold(parts_.size());
  std::vector<double> weights, sum, disagreement;
  for (const Part& part : parts_) weights.push_back(part.weight);
  const auto folds = static_cast<std::size_t>(parts_.front().predictor.n_members());
  const double share = 1 / static_cast<double>(folds);
  for (std::size_t fold = 0; fold < folds; ++fold) {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const FoldedPredictor& own = parts_[k].predictor;
      of_fold[k] = own.predict_member(fold, inputs.at(own.needs()), threads);
      means[k].resize(of_fold[k].size());
      for (std::size_t i = 0; i < means[k].size(); ++i) {
        means[k][i] += of_fold[k][i] / static_cast<double>(folds);
        of_fold[k][i] = own.in_units(of_fold[k][i]);
      }
    }
    add_disagreement(disagreement, of_fold, weights, share);
  }
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    for (double& value : means[k]) value = parts_[k].predictor.in_units(value);
    add_weighted(sum, means[k], weights[k]);
  }
  RowPredictions predicted(std::move(sum));
  predicted.set_disagreement(std::move(disagreement));
  return predicted;
}

RowPredictions PointPredictor::predict(const TableView& x, RowsView rows, int threads) const {
  if (imported_) return RowPredictions(imported_->predict(x, rows, threads));
  return weighted_mean([&](const Encoder& encoder) { return encoder.encode(x, rows, threads); }, threads);
}

RowPrediction PointPredictor::predict_row(const double* row) const {
  if (imported_) return imported_->predict_row(row);
  const auto inputs_of = [&](const Encoder& encoder) {
    MatrixF inputs(1, encoder.columns());
    encoder.encode_row(row, inputs.data());
    return inputs;
  };
  return weighted_mean(inputs_of, 1)[0];
}

bool PointPredictor::may_disagree() const {
  return parts_.size() > 1 && std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) {
           return part.predictor.n_members() == parts_.front().predictor.n_members();
         });
}

// A single predictor is saved in the format of files from before there were stacks.
void PointPredictor::save(Archive archive) const {
  if (imported_) return imported_->save(archive);
  if (parts_.size() == 1) {
    parts_.front().predictor.save(archive);
    encoders_.begin()->second.save(archive.scope("encoder"));
    return;
  }
  archive.put("name", std::string(name_of_stack));
  archive.put("parts", static_cast<std::int64_t>(parts_.size()));
  for (const auto& [encoding, encoder] : encoders_)
    encoder.save(archive.scope(encoding == Encoding::raw ? "encoder" : "standardising_encoder"));
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Archive own = archive.scope("part" + std::to_string(k));
    own.put("weight", parts_[k].weight);
    parts_[k].predictor.save(own);
  }
}

PointPredictor PointPredictor::load(const Archive& archive, const std::vector<Column>& schema) {
  if (archive.text("name") == name_of_imported) return PointPredictor(ImportedPredictor::load(archive, schema));
  if (archive.text("name") == name_of_stack) return load_stack(archive, schema);
  PointPredictor result;
  result.parts_.push_back({FoldedPredictor::load(archive), 1});
  FoldedPredictor& only = result.parts_.front().predictor;
  const Encoder& encoder = result.encoders_.emplace(only.needs(), Encoder::load(archive.scope("encoder"), schema)).first->second;
  only.load_members(archive, encoder.columns());
  return result;
}

PointPredictor PointPredictor::load_stack(const Archive& archive, const std::vector<Column>& schema) {
  PointPredictor result;
  const std::map<Encoding, std::string> scopes = {{Encoding::raw, "encoder"}, {Encoding::standardised, "standardising_encoder"}};
  const Index count = archive.integer_in("parts", 2, 100);
  for (Index k = 0; k < count; ++k) {
    const Archive own = archive.scope("part" + std::to_string(k));
    FoldedPredictor predictor = FoldedPredictor::load(own);
    const double weight = own.number("weight");
    if (!(weight > 0 && weight <= 1) || predictor.outputs() != 1)
      throw Error("the members of the model file's stack do not fit together: it is damaged");
    const Encoding needs = predictor.needs();
    if (!result.encoders_.contains(needs))
      result.encoders_.emplace(needs, Encoder::load(archive.scope(scopes.at(needs)), schema));
    predictor.load_members(own, result.encoders_.at(needs).columns());
    result.parts_.push_back({std::move(predictor), weight});
  }
  return result;
}

}  // namespace taut
