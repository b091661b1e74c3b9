/* Taut from R: R CMD SHLIB use_taut_from_r.c builds the library for dyn.load(). docs/c-interface.md shows an example. */
#include <R.h>
#include <Rinternals.h>
#include <taut.h>

static void forget(SEXP handle) {
  taut_free(R_ExternalPtrAddr(handle));
  R_ClearExternalPtr(handle);
}

static const taut_model* model_of(SEXP handle) {
  const taut_model* model = TYPEOF(handle) == EXTPTRSXP ? R_ExternalPtrAddr(handle) : NULL;
  if (model == NULL) error("this is no model that taut_r_load() returned");
  return model;
}

/* A model that R frees when nothing refers to it any more. */
SEXP taut_r_load(SEXP path) {
  taut_model* model = taut_load(translateCharUTF8(asChar(path)));
  SEXP handle;
  if (model == NULL) error("%s", taut_last_error());
  handle = PROTECT(R_MakeExternalPtr(model, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(handle, forget, TRUE);
  UNPROTECT(1);
  return handle;
}

SEXP taut_r_columns(SEXP handle) {
  const taut_model* model = model_of(handle);
  const size_t count = taut_columns(model);
  SEXP names = PROTECT(allocVector(STRSXP, (R_xlen_t)count));
  size_t i;
  for (i = 0; i < count; ++i) SET_STRING_ELT(names, (R_xlen_t)i, mkCharCE(taut_column_name(model, i), CE_UTF8));
  UNPROTECT(1);
  return names;
}

/* cells: a matrix of texts; each of its columns is a row of the table, because R stores matrices by column. Returns a matrix whose rows are the
 * predictions, the lower ends and the upper ends. */
SEXP taut_r_predict(SEXP handle, SEXP cells, SEXP level) {
  const taut_model* model = model_of(handle);
  const size_t rows = (size_t)ncols(cells), columns = taut_columns(model);
  const double confidence = asReal(level);
  const char** texts;
  double *found, *lower;
  size_t i;
  SEXP result;
  if (!isString(cells) || (size_t)nrows(cells) != columns) error("cells must be texts, one row for each of the %d columns", (int)columns);
  texts = (const char**)R_alloc(rows * columns, sizeof *texts);
  for (i = 0; i < rows * columns; ++i) {
    const SEXP cell = STRING_ELT(cells, (R_xlen_t)i);
    texts[i] = cell == NA_STRING ? NULL : translateCharUTF8(cell);
  }
  found = (double*)R_alloc(3 * rows, sizeof *found);
  lower = found + rows;
  if (taut_predict_texts(model, texts, rows, &confidence, 1, found, lower, lower + rows, 0) != 0) error("%s", taut_last_error());
  result = PROTECT(allocMatrix(REALSXP, 3, (int)rows));
  for (i = 0; i < rows; ++i) {
    REAL(result)[3 * i] = found[i];
    REAL(result)[3 * i + 1] = lower[i];
    REAL(result)[3 * i + 2] = lower[rows + i];
  }
  UNPROTECT(1);
  return result;
}
