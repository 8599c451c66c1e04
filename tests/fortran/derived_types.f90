! Derived types without allocatable components, whole and by component.
program derived_types
    use, intrinsic :: iso_fortran_env, only: real64
    use testing, only: check, finish
    implicit none

    type :: point
        real(real64) :: position(3) = 0
        integer :: number = 0
        character(len=5) :: name = ''
    end type point
    type, extends(point) :: particle
        logical :: charged = .false.
        type(point) :: partner
    end type particle

    type(point) :: origin[*], points(6)[*], one, six(6)
    type(particle) :: ion[*], ions(2, 2)[*], here, cloud(2, 2)
    integer :: me, images, next, previous, i
    character(len=5) :: names(6)
    real(real64) :: position(3)

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    previous = mod(me + images - 2, images) + 1
    call check(origin%number == 0 .and. points(6)%name == '', 'default values')
    origin = point([1, 2, 3] * real(me, real64), me, 'image')
    points = [(point([i, me, 0] * 1.0_real64, 10 * me + i, 'p' // char(iachar('0') + i)), i = 1, 6)]
    ion = particle(origin, mod(me, 2) == 0, points(2))
    ions = ion
    sync all

    one = origin[next]
    call check(all(one%position == next * [1, 2, 3]), 'get')
    call check(one%number == next .and. one%name == 'image', 'get of the other components')
    six(2:5) = points(2:5)[next]
    call check(all(six(2:5)%number == [(10 * next + i, i = 2, 5)]), 'get of an array')
    six(1:3) = points(6:2:-2)[next]
    call check(all(six(1:3)%number == 10 * next + [6, 4, 2]) .and. six(1)%name == 'p6', 'get of a section')
    call check(origin[next]%number == next .and. origin[next]%position(2) == 2 * next, 'get of a component')
    position = origin[next]%position
    call check(all(position == next * [1, 2, 3]), 'get of an array component')
    position(1:2) = points(4)[next]%position(2:1:-1)
    call check(all(position(1:2) == [next, 4]), 'get of a section of a component')
    names = points(:)[next]%name
    call check(all(names == ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']), 'get of a component of an array')
    here = ion[next]
    call check(here%partner%number == 10 * next + 2, 'get of an extended type')
    call check(here%charged .eqv. mod(next, 2) == 0, 'get of what it adds')
    cloud = ions(:, 2:1:-1)[next]
    call check(all(cloud%number == next), 'get of a matrix')
    call check(ion[next]%partner%name == 'p2', 'get of a component of a component')
    sync all

    origin[next] = point([real(real64) :: 7, 8, 9], -me, 'put')
    points(1)[next]%number = -me
    points(2)[next]%position(3) = 0.5_real64
    points(3)[next]%name = 'longer name'
    points(5:6)[next] = points(1:2)
    points(4)[next]%position = [1, 2, 3]
    ion[next]%partner = points(4)
    ions(1:2, 1)[next] = here
    sync all
    call check(origin%position(3) == 9 .and. origin%number == -previous .and. origin%name == 'put', 'put')
    call check(points(1)%number == -previous .and. points(1)%name == 'p1', 'put of a component')
    call check(points(2)%position(3) == 0.5_real64 .and. points(2)%number == 10 * me + 2, 'put of an element')
    call check(points(3)%name == 'longe', 'put of characters')
    call check(all(points(4)%position == [1, 2, 3]), 'put of integers into an array component')
    call check(points(5)%name == 'p1' .and. points(6)%name == 'p2', 'put of an array')
    call check(ion%partner%name == 'p4' .and. ion%number == me, 'put of a component that is a type')
    call check(all(ions(:, 1)%number == me) .and. ions(1, 1)%name == 'image', 'put of one value')

    sync all
    points(3)[next] = points(1)[me]
    sync all
    call check(points(3)%name == 'p1', 'from image to image')
    call finish()
end program derived_types
