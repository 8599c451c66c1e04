-- What claims and figures about coarrays share. Views name no experiment: the queries do, and wait for those alone.

-- The times of all configurations, with the parameters that most queries choose by.
CREATE VIEW coarrays_times AS
SELECT experiment, variant, ranks, parameters, parameter(parameters, 'operation') AS operation,
       CAST(parameter(parameters, 'elements') AS INTEGER) AS elements,
       CAST(parameter(parameters, 'stride') AS INTEGER) AS stride, parameter(parameters, 'scaling') AS scaling,
       coalesce(parameter(parameters, 'optimization'), 'O3') AS optimization,
       median_s AS mid, low_s AS low, high_s AS high
FROM configurations;

-- Time of variant a / time of variant b with the same parameters.
CREATE VIEW coarrays_ratios AS
SELECT experiment, a.variant AS a, b.variant AS b, ranks, parameters, a.operation, a.elements, a.stride, a.scaling,
       a.optimization, a.mid / b.mid AS value, a.low / b.high AS low, a.high / b.low AS high
FROM coarrays_times AS a JOIN coarrays_times AS b USING (experiment, ranks, parameters);

-- Where this library is more than 5 percent slower than OpenCoarrays: by the median, surely, and in what.
CREATE VIEW coarrays_slower AS
SELECT experiment, a AS variant, value > 1.05 AS possibly, value > 1.05 AND low > 1 AS surely,
       iif(value > 1.05, coalesce(operation, experiment), NULL) AS what
FROM coarrays_ratios WHERE a IN ('datamotion', 'ucx') AND b = 'opencoarrays';

-- One transfer alone beside each of two at once: the share of its bandwidth that it keeps, and what it loses in GB/s.
CREATE VIEW coarrays_at_once AS
SELECT one.experiment, one.variant, one.elements, one.mid / two.mid AS kept, one.low / two.high AS kept_low,
       one.high / two.low AS kept_high, 8e-9 * one.elements / one.mid AS alone,
       8e-9 * one.elements * (1 / one.mid - 1 / two.mid) AS lost,
       8e-9 * one.elements * (1 / one.high - 1 / two.low) AS lost_low,
       8e-9 * one.elements * (1 / one.low - 1 / two.high) AS lost_high
FROM coarrays_times AS one JOIN coarrays_times AS two ON two.experiment = one.experiment || '_multi'
    AND two.variant = one.variant AND two.elements = one.elements;
