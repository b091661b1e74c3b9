// Messages of the library, which are worded for the command line ("--y-step 1", "taut calibrate"), for Python.
#pragma once

#include <string>
#include <string_view>

namespace taut {

// The keyword argument for an option of a fit ("y_min" for y-min, "random_state" for seed); empty for an option that Python has
// no parameter for, because the target and the predictions are arrays.
std::string parameter_name(std::string_view option);

// Options become keyword arguments: "--split: ..." is "split: ...", "--y-step 1" is "y_step=1", "--split cross" is
// "split='cross'", "--date 'when:dmy'" is "date=['when:dmy']". Commands become methods, and rows count from 0. Every message that leaves for Python goes through here.
std::string in_python(std::string_view message);

}  // namespace taut
