#include <taut/fit/imported.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

FitOptions with_imported(FitOptions options) {
  if (options.has_given_predictions())
    throw UsageError("--model and --prediction exclude each other: both define f; give one of them");
  if (options.predictor != FitOptions{}.predictor && !is_imported(options))
    throw UsageError("--model and --predictor exclude each other: with a model of your own nothing is trained; give one of them");
  options.predictor = name_of_imported;
  return options;
}

namespace {

// LightGBM writes names with '_' instead of spaces.
bool is_same_name(const std::string& of_model, const std::string& of_table) {
  return of_model.size() == of_table.size() && std::equal(of_model.begin(), of_model.end(), of_table.begin(),
                                                          [](char a, char b) { return a == b || (a == '_' && b == ' '); });
}

[[noreturn]] void throw_mismatch(const std::string& source, const ForeignModel& model, const std::vector<std::string>& words) {
  throw Error(format_text("{}: its columns are not those of the model ({}): {}", source, model.describe(), join(words, "; ")));
}

std::string describe_cells(const InferredColumn& found) {
  if (found.column.kind == ColumnKind::date) return "dates";
  if (!found.column.is_categorical()) return "texts";
  return found.column.categories.empty() ? "texts" : "texts, such as " + quoted_cell(found.column.categories.front());
}

// Why the model cannot use the column; empty if it can.
std::string objection_to(const ForeignFeature& feature, const InferredColumn& found) {
  if (!feature.texts.empty()) return found.column.kind == ColumnKind::date ? "the model has categories, the table dates" : "";
  if (found.column.kind == ColumnKind::number || found.column.kind == ColumnKind::boolean) return "";
  return format_text("the model takes numbers, the table has {}{}", describe_cells(found),
                     feature.numbers.empty() ? "; a category must be the number that it was in training" : "");
}

}  // namespace

std::vector<std::string> columns_of_foreign(const ForeignModel& model, const std::vector<Column>& inputs,
                                            const std::string& source) {
  std::vector<std::string> names, absent;
  if (!model.has_names) {
    if (inputs.size() != model.features.size())
      throw_mismatch(source, model,
                     {format_text("the model has {} columns without names, the table {} besides the target ({}); name those to "
                                  "leave out by --drop, so that the others are the model's, in its order",
                                  model.features.size(), inputs.size(), join(names_of(inputs), ", "))});
    return names_of(inputs);
  }
  const auto known = names_of(inputs);
  for (const ForeignFeature& feature : model.features) {
    auto found = std::find(known.begin(), known.end(), feature.name);
    if (found == known.end())
      found = std::find_if(known.begin(), known.end(), [&](const auto& name) { return is_same_name(feature.name, name); });
    if (found != known.end()) {
      names.push_back(*found);
      continue;
    }
    const auto nearest = nearest_name(feature.name, known);
    absent.push_back(format_text("'{}' is not there{}", feature.name,
                                 nearest ? format_text(" (did you mean '{}'?)", *nearest) : std::string()));
  }
  if (!absent.empty()) throw_mismatch(source, model, absent);
  return names;
}

void fit_to_foreign(const ForeignModel& model, const std::vector<std::string>& names, std::vector<InferredColumn>& judged,
                    const std::string& source) {
  std::vector<std::string> objections;
  for (std::size_t f = 0; f < names.size(); ++f) {
    const auto found =
        std::find_if(judged.begin(), judged.end(), [&](const InferredColumn& one) { return one.column.name == names[f]; });
    if (found == judged.end()) throw Error(missing_column(source, names[f], {}));
    if (const auto objection = objection_to(model.features[f], *found); !objection.empty()) {
      objections.push_back(format_text("'{}': {}", names[f], objection));
      continue;
    }
    if (found->use != InferredColumn::Use::input) found->words.clear();
    found->use = InferredColumn::Use::input;
    if (model.features[f].texts.empty()) continue;
    found->column.kind = ColumnKind::category;
    found->column.categories = model.features[f].texts;
    found->column.format = {};
    found->column.folds_case = false;
    found->taken_for = "category";
    found->words = "category, numbered as the model does: " + counted(std::ssize(model.features[f].texts), "value");
  }
  if (!objections.empty()) throw_mismatch(source, model, objections);
}

void check_out_of_fold(const ForeignModel& model, Index rows, RowsView training, RowsView calibration) {
  if (std::ssize(model.out_of_fold) != rows)
    throw Error(format_text("expected an out-of-fold prediction for each of {} rows, got {}", rows, model.out_of_fold.size()));
  const auto is_trained_on = [&](Index row) { return !std::isnan(model.out_of_fold[static_cast<std::size_t>(row)]); };
  if (!std::all_of(training.begin(), training.end(), is_trained_on) ||
      std::any_of(calibration.begin(), calibration.end(), is_trained_on))
    throw Error("the models were trained on other rows than this fit trains on: calibration rows must be new to them");
}

ImportedPredictor::ImportedPredictor(ForeignModel model, std::vector<Index> columns)
    : model_(std::move(model)), columns_(std::move(columns)) {
  add_forests();
}

ImportedPredictor::ImportedPredictor(ForeignModel model, const std::vector<std::string>& names, const std::vector<Column>& schema)
    : model_(std::move(model)) {
  for (const auto& name : names) columns_.push_back(*find_column(schema, name));
  add_forests();
}

void ImportedPredictor::add_forests() {
  model_.out_of_fold = {};
  forests_.emplace_back(model_);
  for (const ForeignModel& other : model_.others) forests_.emplace_back(other);
}

std::vector<double> ImportedPredictor::predict(const TableView& x, RowsView rows, int threads) const {
  const auto copy = [&](Index first, Index count, double* cells) {
    for (const Index column : columns_) {
      for (Index i = 0; i < count; ++i) cells[i] = x(rows[static_cast<std::size_t>(first + i)], column);
      cells += ForeignCodes::width;
    }
  };
  std::vector<double> result(rows.size()), of_one(forests_.size() > 1 ? rows.size() : 0);
  forests_.front().predict(std::ssize(rows), copy, result, threads);
  for (std::size_t k = 1; k < forests_.size(); ++k) {
    forests_[k].predict(std::ssize(rows), copy, of_one, threads);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += of_one[i];
  }
  if (forests_.size() > 1)
    for (double& value : result) value /= static_cast<double>(forests_.size());
  const auto bad = std::find_if(result.begin(), result.end(), [](double value) { return !std::isfinite(value); });
  if (bad != result.end())
    throw Error(format_text("{}, {}: the model ({}) predicts {}, which is not a finite number", x.source(),
                            x.describe_row(rows[static_cast<std::size_t>(bad - result.begin())]), model_.describe(),
                            print_number(*bad)));
  return result;
}

double ImportedPredictor::predict_row(const double* row) const {
  std::vector<double> cells;
  for (const Index column : columns_) cells.push_back(row[column]);
  double result = forests_.front().predict(cells.data());
  for (std::size_t k = 1; k < forests_.size(); ++k) result += forests_[k].predict(cells.data());
  if (forests_.size() > 1) result /= static_cast<double>(forests_.size());
  if (!std::isfinite(result))
    throw Error(
        format_text("a row: the model ({}) predicts {}, which is not a finite number", model_.describe(), print_number(result)));
  return result;
}

// The mean of several models has no scope "model": earlier versions, which would read one of them only, refuse such a file.
void ImportedPredictor::save(Archive archive) const {
  archive.put("name", std::string(name_of_imported));
  archive.put("places", std::vector<std::int64_t>(columns_.begin(), columns_.end()));
  if (model_.others.empty()) return model_.save(archive.scope("model"));
  archive.put("models", static_cast<std::int64_t>(model_.n_models()));
  model_.save(archive.scope("model0"));
  for (std::size_t k = 0; k < model_.others.size(); ++k) model_.others[k].save(archive.scope("model" + std::to_string(k + 1)));
}

ImportedPredictor ImportedPredictor::load(const Archive& archive, const std::vector<Column>& schema) {
  constexpr Index max_models = 10000;
  const Index count = archive.has("models") ? archive.integer_in("models", 2, max_models) : 1;
  ForeignModel model = ForeignModel::load(archive.scope(count == 1 ? "model" : "model0"));
  for (Index k = 1; k < count; ++k) model.add(ForeignModel::load(archive.scope("model" + std::to_string(k))));
  const auto& places = archive.get<std::vector<std::int64_t>>("places");
  const auto require = [](bool holds) {
    if (!holds) throw Error("the imported model's columns do not fit the model file's: it is damaged");
  };
  require(places.size() == model.features.size());
  for (std::size_t f = 0; f < places.size(); ++f) {
    require(places[f] >= 0 && places[f] < std::ssize(schema));
    const Column& column = schema[static_cast<std::size_t>(places[f])];
    require(model.features[f].texts.empty() ? !column.is_categorical() : column.categories == model.features[f].texts);
  }
  return {std::move(model), std::vector<Index>(places.begin(), places.end())};
}

}  // namespace taut
