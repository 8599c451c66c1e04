-- Half-open intervals that part 1 of the worked example reads, by method
WITH found AS (
    SELECT variant, interval, begin, end_element FROM partition_intervals_median
    WHERE [case] = 'islpy' AND access = 'read' AND part = 1 AND devices = 2),
known AS (SELECT row_number() OVER (ORDER BY rowid) - 1 AS interval, start_element, end_element_exclusive FROM klein_tab_u2)
SELECT start_element AS "begin, thesis", end_element_exclusive AS "end, thesis",
       max('[' || CAST(begin AS INTEGER) || ', ' || CAST(end_element AS INTEGER) || ')') FILTER (WHERE variant = 'boxes') AS boxes,
       max('[' || CAST(begin AS INTEGER) || ', ' || CAST(end_element AS INTEGER) || ')') FILTER (WHERE variant = 'rows') AS rows,
       max('[' || CAST(begin AS INTEGER) || ', ' || CAST(end_element AS INTEGER) || ')') FILTER (WHERE variant = 'points') AS points
FROM known FULL JOIN found USING (interval) GROUP BY interval ORDER BY interval;
