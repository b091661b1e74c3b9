// The one door to XGBoost's C interface. The library is opened when the first tree is grown, so that a program that only
// predicts starts without it.
#pragma once

#include <xgboost/c_api.h>

namespace taut {

// clang-format off
#define TAUT_XGBOOST_FUNCTIONS(F) \
  F(XGBGetLastError) \
  F(XGBSetGlobalConfig) \
  F(XGDMatrixFree) \
  F(XGDMatrixSetDenseInfo) \
  F(XGDMatrixCreateFromDense) \
  F(XGProxyDMatrixCreate) \
  F(XGProxyDMatrixSetDataDense) \
  F(XGQuantileDMatrixCreateFromCallback) \
  F(XGBoosterCreate) \
  F(XGBoosterFree) \
  F(XGBoosterSetParam) \
  F(XGBoosterBoostOneIter) \
  F(XGBoosterPredictFromDMatrix) \
  F(XGBoosterSaveModelToBuffer)
// clang-format on

struct XGBoost {
#define TAUT_POINTER(name) decltype(&::name) name = nullptr;
  TAUT_XGBOOST_FUNCTIONS(TAUT_POINTER)
#undef TAUT_POINTER

  // From version 2.0 on; later ones take gradients of several groups only this way. Older headers do not declare it.
  int (*XGBoosterTrainOneIter)(BoosterHandle, DMatrixHandle, int round, const char* gradient, const char* curvature) = nullptr;

  // Throws Error with XGBoost's own words unless `status` is 0.
  void check(int status) const;
};

// Throws Error when the library is absent or too old.
const XGBoost& xgboost();

}  // namespace taut
