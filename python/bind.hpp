// What the files of the extension module taut._core share. Every file binds one idea and holds no logic.
#pragma once

#include <nanobind/nanobind.h>

namespace taut {

namespace nb = nanobind;

void bind_options(nb::module_& module);
void bind_table(nb::module_& module);
void bind_look(nb::module_& module);
void bind_foreign(nb::module_& module);
void bind_model(nb::module_& module);
void bind_classes(nb::module_& module);
void bind_explain(nb::module_& module);
void bind_assemble(nb::module_& module);
void bind_ranks(nb::module_& module);
void bind_metrics(nb::module_& module);
void bind_report(nb::module_& module);
void bind_words(nb::module_& module);

}  // namespace taut
