// The C interface. Exceptions do not leave it: they become an error message of the calling thread.
#include <c/taut.h>

#include <taut/calibrate/question.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/version.hpp>
#include <taut/foreign/foreign_model.hpp>
#include <taut/task/number/regressor.hpp>

#include <cmath>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>

using taut::Column;
using taut::Error;
using taut::Index;
using taut::Regressor;
using taut::TableView;

struct taut_model {
  explicit taut_model(Regressor given) : model(std::move(given)), schema(model.prediction_schema()) {
    const std::string predictor = model.options().has_given_predictions() ? "predictions of a model of your own"
                                  : model.imported() != nullptr           ? "predictor " + model.imported()->describe()
                                                                          : "predictor " + model.options().predictor;
    description = taut::format_text("{}; transformation {}; {} calibration rows", predictor, model.transform_name(),
                                    model.calibration_rows());
  }
  Regressor model;
  std::vector<Column> schema;
  std::string description;
};

namespace {

thread_local std::string last_error;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): see taut_last_error()

// Calls work(). If it throws, stores the message in last_error and returns `failed`.
template <class Result, class Work>
Result guarded(Result failed, Work work) noexcept {
  try {
    last_error.clear();
    return work();
  } catch (const std::bad_alloc&) {
    try {
      last_error = "out of memory";
    } catch (...) {
    }
  } catch (const std::exception& error) {
    try {
      last_error = error.what();
    } catch (...) {
    }
  } catch (...) {
    try {
      last_error = "unknown error";
    } catch (...) {
    }
  }
  return failed;
}

void require_given(const void* pointer, const char* what) {
  if (pointer == nullptr) throw Error(taut::format_text("{} is NULL", what));
}

void check_model(const taut_model* model) { require_given(model, "the model"); }

TableView table_of(const taut_model& model, const double* cells, std::size_t rows) {
  if (rows > 0 && !model.schema.empty()) require_given(cells, "cells");
  TableView table("the cells", static_cast<Index>(rows));
  for (std::size_t c = 0; c < model.schema.size(); ++c)
    table.add(model.schema[c], taut::CellsView(cells + c, static_cast<Index>(model.schema.size())));
  return table;
}

// Columns of texts as inferred categories. Matching them with the schema parses them like the columns of a file.
TableView table_of(const taut_model& model, const char* const* cells, std::size_t rows) {
  if (rows > 0 && !model.schema.empty()) require_given(cells, "cells");
  TableView table("the cells", static_cast<Index>(rows));
  for (std::size_t c = 0; c < model.schema.size(); ++c) {
    Column column{.name = model.schema[c].name, .kind = taut::ColumnKind::category, .is_inferred = true};
    std::unordered_map<std::string_view, double> codes;
    std::vector<double> own(rows, taut::missing);
    for (std::size_t row = 0; row < rows; ++row) {
      const char* const text = cells[row * model.schema.size() + c];
      if (text == nullptr || *text == '\0') continue;
      const auto [found, is_new] = codes.try_emplace(text, column.other_code());
      if (is_new) column.categories.emplace_back(text);
      own[row] = found->second;
    }
    table.add(std::move(column), std::move(own));
  }
  return table;
}

void put_interval(const taut::Interval& interval, std::size_t at, double* lower, double* upper) {
  if (lower != nullptr) lower[at] = interval.empty() ? taut::missing : interval.lower;
  if (upper != nullptr) upper[at] = interval.empty() ? taut::missing : interval.upper;
}

void predict_table(const taut_model& model, const TableView& table, std::span<const double> levels, double* prediction,
                   double* lower, double* upper, int threads) {
  const auto predicted = model.model.predict_interval(table, levels, {.threads = threads});
  if (prediction != nullptr) std::copy(predicted.prediction.begin(), predicted.prediction.end(), prediction);
  for (std::size_t i = 0; i < predicted.intervals.size(); ++i) put_interval(predicted.intervals[i], i, lower, upper);
}

std::vector<std::unique_ptr<taut::Question>> questions_of(const char* const* names, std::size_t count) {
  std::vector<std::unique_ptr<taut::Question>> questions;
  if (count > 0) require_given(static_cast<const void*>(names), "questions");
  for (std::size_t i = 0; i < count; ++i) {
    require_given(names[i], "a question");
    questions.push_back(taut::questions().make(names[i]));
    if (questions.back()->needs_value())
      throw Error(
          taut::format_text("the question '{}' needs a given value for each row, which the C interface does not take", names[i]));
  }
  return questions;
}

std::span<const double> levels_of(const double* levels, std::size_t count) {
  if (count > 0) require_given(levels, "levels");
  return {levels, count};
}

}  // namespace

const char* taut_version(void) {
  static const std::string version(taut::version);
  return version.c_str();
}

const char* taut_last_error(void) { return last_error.c_str(); }

taut_model* taut_load(const char* path) {
  return guarded(static_cast<taut_model*>(nullptr), [&] {
    require_given(path, "the path");
    return new taut_model(Regressor::load(path));
  });
}

taut_model* taut_load_bytes(const void* bytes, size_t size) {
  return guarded(static_cast<taut_model*>(nullptr), [&] {
    require_given(bytes, "bytes");
    return new taut_model(Regressor::from_bytes({static_cast<const char*>(bytes), size}));
  });
}

void taut_free(taut_model* model) { delete model; }

const char* taut_target(const taut_model* model) { return model == nullptr ? nullptr : model->model.options().target.c_str(); }
const char* taut_description(const taut_model* model) { return model == nullptr ? nullptr : model->description.c_str(); }
size_t taut_calibration_rows(const taut_model* model) {
  return model == nullptr ? 0 : static_cast<size_t>(model->model.calibration_rows());
}

size_t taut_columns(const taut_model* model) { return model == nullptr ? 0 : model->schema.size(); }

const char* taut_column_name(const taut_model* model, size_t column) {
  return column < taut_columns(model) ? model->schema[column].name.c_str() : nullptr;
}

int taut_column_kind(const taut_model* model, size_t column) {
  return column < taut_columns(model) ? static_cast<int>(model->schema[column].kind) : -1;
}

size_t taut_categories(const taut_model* model, size_t column) {
  return column < taut_columns(model) ? model->schema[column].categories.size() : 0;
}

const char* taut_category(const taut_model* model, size_t column, size_t which) {
  return which < taut_categories(model, column) ? model->schema[column].categories[which].c_str() : nullptr;
}

int taut_predict(const taut_model* model, const double* cells, size_t rows, const double* levels, size_t n_levels,
                 double* prediction, double* lower, double* upper, int threads) {
  return guarded(1, [&] {
    check_model(model);
    const auto wanted = levels_of(levels, n_levels);
    if (rows == 1 && cells != nullptr) {  // predict_row is faster for one row and gives the same numbers
      std::vector<taut::Interval> intervals(n_levels);
      const double f = model->model.predict_row({cells, model->schema.size()}, wanted, intervals);
      if (prediction != nullptr) *prediction = f;
      for (std::size_t i = 0; i < n_levels; ++i) put_interval(intervals[i], i, lower, upper);
      return 0;
    }
    predict_table(*model, table_of(*model, cells, rows), wanted, prediction, lower, upper, threads);
    return 0;
  });
}

int taut_predict_texts(const taut_model* model, const char* const* cells, size_t rows, const double* levels, size_t n_levels,
                       double* prediction, double* lower, double* upper, int threads) {
  return guarded(1, [&] {
    check_model(model);
    predict_table(*model, table_of(*model, cells, rows), levels_of(levels, n_levels), prediction, lower, upper, threads);
    return 0;
  });
}

size_t taut_answers(const char* const* questions, size_t n_questions) {
  return guarded(size_t{0}, [&] {
    size_t count = 0;
    for (const auto& question : questions_of(questions, n_questions)) count += question->columns({}).size();
    return count;
  });
}

int taut_ask(const taut_model* model, const double* cells, size_t rows, const char* const* questions, size_t n_questions,
             double* answers, int threads) {
  return guarded(1, [&] {
    check_model(model);
    if (rows > 0 && n_questions > 0) require_given(answers, "answers");
    const auto asked = questions_of(questions, n_questions);
    const auto found = model->model.ask(table_of(*model, cells, rows), asked, {}, {.threads = threads});
    std::copy_n(found.values.data(), found.values.size(), answers);
    return 0;
  });
}
