name = 'The hybrid version (caf-mth) beside the others'
versions = "'mpi-mt %' 'caf-mt manual' 'caf-mt thread' 'caf-mth manual' 'caf-mth thread'"
load 'fanfarillo-fig-7-13.gp'
