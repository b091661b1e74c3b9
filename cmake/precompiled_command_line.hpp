// Headers that nearly every file of the command line includes.
#include <cmake/precompiled.hpp>

#include <CLI/CLI.hpp>
