/* Taut from C, and from every language that can call C: load a model file, predict, free. docs/c-interface.md explains it.
 *
 * A function that can fail returns NULL or a number other than 0; taut_last_error() then says why, in words for people. Nothing
 * throws. A model may be used by many threads at once; only taut_free() needs it for itself. Texts are UTF-8. Names beginning with
 * taut_ keep their meaning in all versions to come: functions are added, never changed. */
#ifndef TAUT_H
#define TAUT_H

#include <stddef.h>

#if defined(_WIN32) && defined(TAUT_BUILD)
#define TAUT_API __declspec(dllexport)
#elif defined(_WIN32)
#define TAUT_API __declspec(dllimport)
#elif defined(__GNUC__)
#define TAUT_API __attribute__((visibility("default")))
#else
#define TAUT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taut_model taut_model;

enum { TAUT_NUMBER = 0, TAUT_BOOLEAN = 1, TAUT_DATE = 2, TAUT_CATEGORY = 3, TAUT_ORDERED = 4 };

/* "0.2.0". */
TAUT_API const char* taut_version(void);
/* Why the last call of this thread failed; "" if none has. Valid until the next call of the same thread. */
TAUT_API const char* taut_last_error(void);

/* A model file, or its bytes. NULL: see taut_last_error(). */
TAUT_API taut_model* taut_load(const char* path);
TAUT_API taut_model* taut_load_bytes(const void* bytes, size_t size);
/* Nothing for NULL. */
TAUT_API void taut_free(taut_model* model);

/* The column that is predicted, and a line about the model, as `taut info` begins. Both live as long as the model. */
TAUT_API const char* taut_target(const taut_model* model);
TAUT_API const char* taut_description(const taut_model* model);
/* How many rows calibrated it: 0 if none, and then intervals are the whole line. */
TAUT_API size_t taut_calibration_rows(const taut_model* model);

/* The columns that rows to predict must have, in the order in which cells are given. Beyond the last: NULL, -1, 0. */
TAUT_API size_t taut_columns(const taut_model* model);
TAUT_API const char* taut_column_name(const taut_model* model, size_t column);
TAUT_API int taut_column_kind(const taut_model* model, size_t column);
/* Of a category: its values. As a number, value i is i, and any other value is taut_categories() itself. */
TAUT_API size_t taut_categories(const taut_model* model, size_t column);
TAUT_API const char* taut_category(const taut_model* model, size_t column, size_t which);

/* Predictions and intervals. `cells`: row after row, taut_columns() numbers each: a category by its number, a date as seconds since
 * 1970-01-01 UTC, what is missing as NaN. prediction[row]; lower[row * n_levels + level], upper likewise: infinite where there are
 * too few calibration rows, NaN where the set is empty. Any of the three may be NULL. `threads`: 0 for all cores. Returns 0. */
TAUT_API int taut_predict(const taut_model* model, const double* cells, size_t rows, const double* levels, size_t n_levels,
                          double* prediction, double* lower, double* upper, int threads);
/* The same with cells as texts, as they would stand in a CSV file; NULL or an empty text is missing. */
TAUT_API int taut_predict_texts(const taut_model* model, const char* const* cells, size_t rows, const double* levels, size_t n_levels,
                                double* prediction, double* lower, double* upper, int threads);

/* Anything else about y: questions as `taut lists` names them, "quantile:0.9", "upper:0.95", "below:100", "mean". A question may have
 * several answers; taut_answers() says how many there are in all, 0 for a question that is not known.
 * answers[row * taut_answers() + i]. Returns 0. */
TAUT_API size_t taut_answers(const char* const* questions, size_t n_questions);
TAUT_API int taut_ask(const taut_model* model, const double* cells, size_t rows, const char* const* questions, size_t n_questions,
                      double* answers, int threads);

#ifdef __cplusplus
}
#endif

#endif
