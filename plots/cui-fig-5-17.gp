# The picture of cui-fig-5-16 for the other standard.
standard = 2
load 'cui-fig-5-16.gp'
