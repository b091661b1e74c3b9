/* A C program that uses only taut.h. It prints its results, so that a test can compare them with the command line.
 *   use_taut MODEL.taut TEXT TEXT ...      one row of cells */
#include <taut.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char* what) {
  printf("%s: %s\n", what, taut_last_error());
  return 1;
}

int main(int count, char** arguments) {
  const double levels[2] = {0.5, 0.9};
  const char* questions[3] = {"quantile:0.25", "upper:0.9", "mean"};
  double prediction, lower[2], upper[2];
  size_t i;
  taut_model* model;
  if (taut_load("no such file") != NULL || taut_last_error()[0] == '\0') return fail("a file that is not there was read");
  if (taut_load_bytes("abc", 3) != NULL) return fail("bytes that are no model were read");
  if (taut_load(NULL) != NULL || taut_columns(NULL) != 0 || taut_target(NULL) != NULL) return fail("NULL is a model");
  taut_free(NULL);
  if (taut_predict(NULL, NULL, 1, levels, 2, &prediction, lower, upper, 1) == 0) return fail("NULL predicts");

  model = taut_load(arguments[1]);
  if (model == NULL) return fail("load");
  if (taut_last_error()[0] != '\0') return fail("an error is left from before");
  printf("version %s\ntarget %s\ncalibration %lu\n", taut_version(), taut_target(model),
         (unsigned long)taut_calibration_rows(model));
  for (i = 0; i < taut_columns(model); ++i)
    printf("column %s %d %lu\n", taut_column_name(model, i), taut_column_kind(model, i),
           (unsigned long)taut_categories(model, i));
  if (taut_column_name(model, taut_columns(model)) != NULL || taut_column_kind(model, 1000) != -1)
    return fail("there is a column too many");

  if ((size_t)count - 2 != taut_columns(model)) return fail("not as many cells as columns");
  if (taut_predict_texts(model, (const char* const*)(arguments + 2), 1, levels, 2, &prediction, lower, upper, 1) != 0)
    return fail("predict");
  printf("%.17g %.17g %.17g %.17g %.17g\n", prediction, lower[0], upper[0], lower[1], upper[1]);

  {
    double* cells = malloc(2 * taut_columns(model) * sizeof(double));
    double* answers = malloc(2 * taut_answers(questions, 3) * sizeof(double));
    double many[2];
    for (i = 0; i < 2 * taut_columns(model); ++i) cells[i] = i < taut_columns(model) ? 0.0 : NAN;
    if (taut_predict(model, cells, 2, levels, 0, many, NULL, NULL, 1) != 0) return fail("two rows");
    if (taut_predict(model, cells, 1, levels, 2, &prediction, lower, upper, 1) != 0) return fail("one row");
    if (prediction != many[0]) return fail("one row alone is predicted otherwise");
    if (taut_ask(model, cells, 2, questions, 3, answers, 1) != 0) return fail("ask");
    printf("answers %.17g %.17g %.17g\n", answers[0], answers[1], answers[2]);
    if (taut_ask(model, cells, 2, (const char* const[]){"nonsense"}, 1, answers, 1) == 0) return fail("nonsense is answered");
    free(cells);
    free(answers);
  }
  {
    const double wrong = 1.5;
    if (taut_predict(model, NULL, 0, &wrong, 1, NULL, NULL, NULL, 1) == 0) return fail("a level of 1.5 is taken");
  }
  taut_free(model);
  printf("done\n");
  return 0;
}
