import ECSTestSupport

/// Swift Testing has a type of this name, too: here it is the component that is meant.
typealias Tag = ECSTestSupport.Tag
