/* The C interface of Taut, for C and every language that can call C: load a model file, predict, free. See docs/c-interface.md.
 *
 * A function that fails returns NULL or a number other than 0; taut_last_error() then returns a message for people. No function
 * throws. Several threads may use a model at once, but no other thread may use it during taut_free(). Texts are UTF-8. Functions
 * keep their meaning in all later versions: new ones may be added, existing ones do not change. */
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

/* The version of the library, such as "0.2.0". */
TAUT_API const char* taut_version(void);
/* Why the last call in this thread failed; "" if it succeeded. Functions that cannot fail do not change it. Valid until the next
 * call in the same thread. */
TAUT_API const char* taut_last_error(void);

/* Loads a model file, or its bytes. Returns NULL on failure. */
TAUT_API taut_model* taut_load(const char* path);
TAUT_API taut_model* taut_load_bytes(const void* bytes, size_t size);
/* Frees a model. Does nothing for NULL. */
TAUT_API void taut_free(taut_model* model);

/* The name of the target column, and a line that describes the model. Both are valid as long as the model; NULL for NULL. */
TAUT_API const char* taut_target(const taut_model* model);
TAUT_API const char* taut_description(const taut_model* model);
/* The number of calibration rows. With 0, intervals are unbounded. */
TAUT_API size_t taut_calibration_rows(const taut_model* model);

/* The input columns, in the order of the cells of a row. For a position beyond the last column the functions return NULL, -1 or
 * 0. */
TAUT_API size_t taut_columns(const taut_model* model);
TAUT_API const char* taut_column_name(const taut_model* model, size_t column);
TAUT_API int taut_column_kind(const taut_model* model, size_t column);
/* The values of a categorical column. As a cell, value i is the number i; any other value is the number taut_categories(). */
TAUT_API size_t taut_categories(const taut_model* model, size_t column);
TAUT_API const char* taut_category(const taut_model* model, size_t column, size_t which);

/* Predictions and intervals. `cells` holds the rows one after another, taut_columns() numbers each: a category as its number, a
 * date as seconds since 1970-01-01 UTC, a missing cell as NaN. Results go to prediction[row], lower[row * n_levels + level] and
 * upper[row * n_levels + level]. Ends are infinite if there are too few calibration rows, and NaN if the set is empty. Any of the
 * three outputs may be NULL. `threads` is the number of threads, 0 for all cores. Returns 0 on success. */
TAUT_API int taut_predict(const taut_model* model, const double* cells, size_t rows, const double* levels, size_t n_levels,
                          double* prediction, double* lower, double* upper, int threads);
/* The same with cells as texts, written as in a CSV file. NULL or an empty text is a missing cell. */
TAUT_API int taut_predict_texts(const taut_model* model, const char* const* cells, size_t rows, const double* levels,
                                size_t n_levels, double* prediction, double* lower, double* upper, int threads);

/* Other questions about y, named as in `taut lists`: "quantile:0.9", "upper:0.95", "below:100", "mean". A question may have
 * several answers. taut_answers() returns the number of answers to all questions together, or 0 if a question is unknown.
 * taut_ask() writes to answers[row * taut_answers() + i] and returns 0 on success. */
TAUT_API size_t taut_answers(const char* const* questions, size_t n_questions);
TAUT_API int taut_ask(const taut_model* model, const double* cells, size_t rows, const char* const* questions, size_t n_questions,
                      double* answers, int threads);

#ifdef __cplusplus
}
#endif

#endif
