load 'style.gp'
load 'hetero.gp'
set title 'The hybrid version (caf-mth) beside the others'
versions = "'mpi-mt %' 'caf-mt manual' 'caf-mt thread' 'caf-mth manual' 'caf-mth thread'"
@pricing_picture
