# The picture of cui-fig-5-12, of another machine.
view = 'partner_tuner_blocks'
load 'cui-fig-5-12.gp'
