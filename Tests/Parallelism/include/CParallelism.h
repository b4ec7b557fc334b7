#pragma once

/// The environment variable that says how many tests run at once: four for each core, unless it is set.
#define PARALLEL_TESTS "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"
